// Tables that sort and filter. Without this script the page reads the same, in the order it came.
"use strict";
(() => {
    const key = (row, column) => {
        const cell = row.cells[column];
        const value = cell.dataset.v;
        return value === undefined ? cell.textContent.trim() : Number(value);
    };
    const compare = (a, b) => {
        if (typeof a === "number" && typeof b === "number") return a - b;
        if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1; // unknown is smallest
        return a < b ? -1 : a > b ? 1 : 0;
    };
    const sortBy = (table, column) => {
        const head = table.tHead.rows[0].cells;
        const before = head[column].getAttribute("aria-sort");
        const numbers = head[column].classList.contains("n");
        const down = before ? before === "ascending" : numbers;
        for (const cell of head) cell.removeAttribute("aria-sort");
        head[column].setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map(row => [key(row, column), row]);
        rows.sort((a, b) => (down ? -1 : 1) * compare(a[0], b[0]));
        body.append(...rows.map(pair => pair[1]));
    };
    for (const table of document.querySelectorAll("table[data-sort]")) {
        [...table.tHead.rows[0].cells].forEach((cell, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.append(...cell.childNodes);
            button.addEventListener("click", () => sortBy(table, column));
            cell.append(button);
        });
    }

    const filter = (table, words, state) => {
        let shown = 0;
        const rows = table.tBodies[0].rows;
        for (const row of rows) {
            const text = row.textContent.toLowerCase();
            row.hidden = !words.every(word => text.includes(word));
            if (!row.hidden) ++shown;
        }
        state.textContent = words.length ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
    };
    for (const table of document.querySelectorAll("table[data-filter]")) {
        const label = document.createElement("label");
        const input = document.createElement("input");
        const state = document.createElement("output");
        label.className = "filter";
        input.type = "search";
        input.placeholder = "filter rows";
        input.setAttribute("aria-label", `Filter: ${table.caption.textContent}`);
        input.addEventListener("input", () =>
            filter(table, input.value.toLowerCase().split(/\s+/).filter(Boolean), state));
        label.append(input, state);
        table.parentElement.before(label);
        filter(table, [], state);
    }

    addEventListener("beforeprint", () => {
        for (const part of document.querySelectorAll("details")) part.open = true;
    });
})();
