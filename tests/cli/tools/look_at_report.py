# SPDX-License-Identifier: Apache-2.0
"""look_at_report.py REPORT.html FOLDER: opens a report in a headless browser and holds it to what a
person needs: no error, no request, tables that sort and filter by mouse and keyboard, text that can
be read in both colour schemes and at 400 pixels. Leaves screenshots in FOLDER."""

import json
import pathlib
import sys
import zlib

import devtools

PAGE = 1280, 900
PHONE = 400, 800

# Every text against the background behind it, as WCAG 2.1 defines contrast.
CONTRAST = """(() => {
    const parse = text => text.match(/[\\d.]+/g).map(Number);
    const light = c => c.slice(0, 3).map(v => v / 255).map(
        v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce(
        (sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = element => {
        for (; element; element = element.parentElement) {
            const c = parse(getComputedStyle(element).backgroundColor);
            if (c.length < 4 || c[3] > 0) return c;
        }
        return [255, 255, 255];
    };
    let worst = [99, ''];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || element.tagName === 'SCRIPT') continue;
        if (element.tagName === 'title') continue;
        const style = getComputedStyle(element);
        const ink = element instanceof SVGElement ? style.fill : style.color;
        const a = light(parse(ink)), b = light(behind(element));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < worst[0]) worst = [ratio, walker.currentNode.textContent.trim().slice(0, 40)];
    }
    return worst;
})()"""

COLUMN = """[...document.querySelector('%s').tBodies[0].rows].map(
    row => row.cells[%d].dataset.v ?? row.cells[%d].textContent)"""


def column(browser, table, index):
    return browser.evaluate(COLUMN % (table, index, index))


def check_quiet(browser):
    bad = [e for e in browser.events if e.get("method") in ("Log.entryAdded",
           "Runtime.consoleAPICalled", "Runtime.exceptionThrown")]
    assert not bad, bad
    urls = [e["params"]["request"]["url"] for e in browser.events
            if e.get("method") == "Network.requestWillBeSent"]
    assert [u for u in urls if not u.startswith("data:")] == urls[:1], urls
    assert urls[0].startswith("file://"), urls


def sortable_columns(browser):
    """Of the first table of kernels: the number of its totals and of its names."""
    return browser.evaluate("""(() => {
        const table = document.querySelector('table.ops');
        const names = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
        return [names.indexOf('total'), names.indexOf('kernel')];
    })()""")


def check_sorting(browser):
    total, kernel = sortable_columns(browser)
    table = "table.ops"
    rows = len(column(browser, table, 0))
    assert rows > 5, rows
    click = "document.querySelector('%s thead tr').cells[%d].querySelector('button').%s()"
    state = "document.querySelector('%s thead tr').cells[%d].getAttribute('aria-sort')"
    browser.evaluate(click % (table, kernel, "click"))
    names = column(browser, table, kernel)
    assert names == sorted(names) and len(set(names)) > 1, names
    assert browser.evaluate(state % (table, kernel)) == "ascending"
    # By keyboard: the button takes the focus, Enter sorts, Space turns it round.
    browser.evaluate(click % (table, total, "focus"))
    browser.press("Enter", 13)
    values = [float(v) for v in column(browser, table, total)]
    assert values == sorted(values, reverse=True) and len(set(values)) > 1, values
    assert browser.evaluate(state % (table, total)) == "descending"
    assert browser.evaluate(state % (table, kernel)) is None
    browser.press(" ", 32)
    assert [float(v) for v in column(browser, table, total)] == values[::-1]
    assert browser.evaluate(state % (table, total)) == "ascending"
    assert len(column(browser, table, 0)) == rows
    return table, kernel


def check_filter(browser, table, kernel):
    shown = "[...document.querySelector('%s').tBodies[0].rows].filter(r => !r.hidden).length" % table
    before = browser.evaluate(shown)
    word = column(browser, table, kernel)[0]
    browser.evaluate("document.querySelector('%s').parentElement.previousElementSibling"
                     ".querySelector('input').focus()" % table)
    browser.call("Input.insertText", text=word)
    after = browser.evaluate(shown)
    assert 0 < after < before, (word, before, after)
    said = browser.evaluate("document.querySelector('%s').parentElement.previousElementSibling"
                            ".querySelector('output').textContent" % table)
    assert said == f"{after} of {before} rows", said


def check_fits(browser, width):
    seen = browser.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    assert seen[1] == width and seen[0] <= width, seen


def check_semantics(browser):
    problems = browser.evaluate("""(() => {
        const out = [], ids = new Set();
        for (const e of document.querySelectorAll('[id]')) {
            if (ids.has(e.id)) out.push('id twice: ' + e.id);
            ids.add(e.id);
        }
        for (const a of document.querySelectorAll('nav a'))
            if (!document.querySelector(a.getAttribute('href'))) out.push('dead link ' + a.href);
        for (const t of document.querySelectorAll('table')) {
            if (!t.caption?.textContent) out.push('no caption: ' + t.className);
            for (const c of t.tHead.rows[0].cells) if (c.scope !== 'col') out.push('scope: ' + t.className);
            for (const r of t.tBodies[0].rows)
                if (r.cells.length !== t.tHead.rows[0].cells.length) out.push('cells: ' + t.className);
        }
        if (document.querySelectorAll('h1').length !== 1) out.push('h1');
        return out;
    })()""")
    assert not problems, problems


def check_plots(browser):
    """Each is told in words or hidden from those who listen, and keeps its text inside."""
    problems = browser.evaluate("""(() => {
        const out = [];
        for (const s of document.querySelectorAll('svg')) {
            const said = s.getAttribute('role') === 'img' && s.getAttribute('aria-label');
            if (!said && s.getAttribute('aria-hidden') !== 'true') out.push('no words: ' + s.outerHTML);
            const box = s.getBoundingClientRect();
            for (const t of s.querySelectorAll('text')) {
                const b = t.getBoundingClientRect();
                if (b.left < box.left - 1 || b.right > box.right + 1 || b.bottom > box.bottom + 1)
                    out.push('outside: ' + t.textContent);
            }
            const texts = [...s.querySelectorAll('text')].map(t => t.getBoundingClientRect());
            texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
                if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                    out.push('texts overlap in ' + s.parentElement.parentElement.className);
            }));
        }
        return out;
    })()""")
    assert not problems, problems


def pixels(png):
    """Bytes of the filtered image: all rows of a blank one are alike."""
    data, at = b"", 8
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    return zlib.decompress(data)


def shoot(browser, path):
    png = browser.screenshot(path)
    assert png[:8] == b"\x89PNG\r\n\x1a\n", path
    width = int.from_bytes(png[16:20], "big")
    assert width == browser.evaluate("innerWidth"), width
    assert len(set(pixels(png)[::97])) > 20, f"{path} is blank"


def look(browser, page, folder):
    browser.resize(*PAGE)
    browser.prefer("light")
    browser.open(page.as_uri())
    check_semantics(browser)
    colors = []
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        colors.append(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        ratio, text = browser.evaluate(CONTRAST)
        assert ratio >= 4.5, (scheme, ratio, text)
        print(f"{scheme}: least contrast {ratio:.2f} ('{text}')")
        shoot(browser, folder / f"{page.stem}-1280-{scheme}.png")
    assert colors[0] != colors[1], colors
    check_fits(browser, PAGE[0])
    check_plots(browser)
    check_filter(browser, *check_sorting(browser))
    browser.prefer("light")
    browser.resize(*PHONE)
    check_fits(browser, PHONE[0])
    check_plots(browser)
    shoot(browser, folder / f"{page.stem}-400.png")
    browser.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    check_fits(browser, PHONE[0])
    check_quiet(browser)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    with devtools.Browser() as one:
        look(one, pathlib.Path(sys.argv[1]).resolve(), target)
