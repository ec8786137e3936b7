# SPDX-License-Identifier: Apache-2.0
"""Drives a headless Chromium by its DevTools protocol: JSON messages, each ended by a zero byte,
over the two pipes that --remote-debugging-pipe expects as file descriptors 3 and 4."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


class Error(RuntimeError):
    pass


def find():
    """The browser to use, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One browser process with one page. Use it in a `with` statement."""

    def __init__(self, timeout_s=60):
        self.events = []  # what the page did, oldest first: protocol messages without an id
        self._deadline = time.monotonic() + timeout_s
        self._ids = itertools.count(1)
        self._received = b""
        self._session = None
        self._profile = tempfile.mkdtemp(prefix="tare-browser-")
        self._start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def _start(self):
        commands, self._write = os.pipe()
        self._read, answers = os.pipe()

        def place_pipes():  # in the child, before it becomes the browser
            high = [os.dup(os.dup(os.dup(end))) for end in (commands, answers)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        options = ["--no-sandbox", "--headless", "--disable-gpu", "--hide-scrollbars",
                   "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                   "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                   "--user-data-dir=" + self._profile, "about:blank"]
        self._process = subprocess.Popen([find(), *options], preexec_fn=place_pipes,
                                         close_fds=False, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _message(self):
        while b"\0" not in self._received:
            left = self._deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise Error("the browser did not answer in time")
            piece = os.read(self._read, 1 << 16)
            if not piece:
                raise Error("the browser is gone")
            self._received += piece
        line, self._received = self._received.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **parameters):
        """Sends one command and hands back its result; events meanwhile are kept."""
        message = {"id": next(self._ids), "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        sent = json.dumps(message).encode() + b"\0"
        while sent:
            sent = sent[os.write(self._write, sent):]
        while True:
            answer = self._message()
            if answer.get("id") != message["id"]:
                self.events.append(answer)
            elif "error" in answer:
                raise Error(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def wait_for(self, method):
        """The first event of that name that was not waited for before."""
        while True:
            for event in self.events:
                if event.get("method") == method and not event.get("seen"):
                    event["seen"] = True
                    return event["params"]
            self.events.append(self._message())

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        """The value of a JavaScript expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Error(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme):
        """`light` or `dark`, as the person's system would say."""
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, text="\r" if key == "Enter" and kind == "keyDown"
                      else "")

    def screenshot(self, path, whole_page=True):
        png = base64.b64decode(self.call("Page.captureScreenshot",
                                         captureBeyondViewport=whole_page)["data"])
        with open(path, "wb") as file:
            file.write(png)
        return png
