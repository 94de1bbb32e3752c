"""Measures how long a picture takes to the panel's page in Chromium, and the cost of viewers.

Usage: panel-delay.py PROGRAM CHROMIUM SECONDS

Writes 1280x720 pictures, 30 a second, into a pipe from which PROGRAM composes; each has the moment at which it was
written in its pixels. Chromium shows the panel's page, and reads the moment from each frame of the page's own video;
a second pipe tells when the composed frame came to an output. Prints a line for 1 and one for 16 viewers: the 15 beside
the page take what is sent and do not decode it.
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import aiohttp
from aiortc import RTCPeerConnection, RTCSessionDescription, rtcrtpreceiver

from moments import BITS, HEIGHT, RATE, WIDTH, note_outputs, spread, write_pictures

PROGRAM, CHROMIUM, SECONDS = sys.argv[1], sys.argv[2], int(sys.argv[3])

# The page reads the moment from each frame of its video: a row of bars for the bits, and the inverted row below it.
READER = """
(() => {
  window.frames = [];
  const video = document.querySelector('#video');
  const canvas = Object.assign(document.createElement('canvas'), { width: %(bits)d, height: 4 });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const look = () => {
    video.requestVideoFrameCallback(look);
    const now = performance.timeOrigin + performance.now();
    // The middle of each bar.
    const { videoWidth: width, videoHeight: height } = video;
    for (const [row, share] of [[0, 1 / 8], [1, 3 / 8]]) {
      for (let bit = 0; bit < %(bits)d; bit += 1) {
        pen.drawImage(video, Math.floor((bit + 0.5) * width / %(bits)d), Math.floor(height * share), 1, 1, bit, row, 1, 1);
      }
    }
    const data = pen.getImageData(0, 0, %(bits)d, 2).data;
    let [value, check] = [0, 0];
    for (let bit = 0; bit < %(bits)d; bit += 1) {
      if (data[bit * 4 + 1] > 127) value += 2 ** bit;
      if (data[(%(bits)d + bit) * 4 + 1] > 127) check += 2 ** bit;
    }
    if (value + check !== 2 ** %(bits)d - 1) return;
    window.frames.push([value, now]);
  };
  video.requestVideoFrameCallback(look);
})()
""" % {"bits": BITS}


def skip_decoding(loop, input_queue, *others):
    """Replaces the decoder of viewers that do not decode."""
    while input_queue.get() is not None:
        pass


async def watch(session: aiohttp.ClientSession, address: str) -> RTCPeerConnection:
    """Connects a viewer to the panel's stream."""
    peer = RTCPeerConnection()
    peer.addTransceiver("video", direction="recvonly")
    await peer.setLocalDescription(await peer.createOffer())
    async with session.post(
        f"{address}/whep", data=peer.localDescription.sdp, headers={"Content-Type": "application/sdp"}
    ) as answer:
        assert answer.status == 201, await answer.text()
        await peer.setRemoteDescription(RTCSessionDescription(await answer.text(), "answer"))
    return peer


class Page:
    """A page in Chromium that the debugging protocol controls."""

    def __init__(self, socket):
        self.socket = socket
        self.last = 0

    async def call(self, method: str, **parameters):
        self.last += 1
        await self.socket.send_json({"id": self.last, "method": method, "params": parameters})
        while True:
            answer = json.loads((await self.socket.receive()).data)
            if answer.get("id") == self.last:
                return answer["result"]

    async def evaluate(self, expression: str):
        answer = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")


async def open_page(session: aiohttp.ClientSession, folder: str, address: str) -> Page:
    port_file = pathlib.Path(folder) / "profile" / "DevToolsActivePort"
    while not port_file.exists() or "\n" not in port_file.read_text():
        await asyncio.sleep(0.1)
    port = port_file.read_text().split("\n")[0]
    async with session.get(f"http://127.0.0.1:{port}/json") as answer:
        target = next(each for each in await answer.json() if each["type"] == "page")
    page = Page(await session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0))
    await page.call("Page.navigate", url=address)
    while not await page.evaluate("document.querySelector('#video')?.videoWidth > 0"):
        await asyncio.sleep(0.1)
    await page.evaluate(READER)
    return page


def processor_time(process: int) -> float:
    """Returns the processor time of a process, in seconds."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(session, page, process: int, address: str, outputs: dict[int, float], viewers: int) -> None:
    async def output():
        async with session.get(f"{address}/api/v1/state") as answer:
            state = await answer.json()
        return state["output"], state["canvas"]

    # The start of the decoder and of the viewers is not measured.
    await asyncio.sleep(5)
    before, used, begin = (await output())[0], processor_time(process), time.monotonic()
    await page.evaluate("window.frames.length = 0")
    await asyncio.sleep(SECONDS)
    frames = await page.evaluate("window.frames")
    took = time.monotonic() - begin
    after, canvas = await output()
    load = (processor_time(process) - used) / took
    assert frames, "no frame of the page could be read"

    print(
        f"{canvas['width']}x{canvas['height']} at {RATE}, {viewers} viewer{'s' if viewers > 1 else ''}: output to page "
        f"{spread(now - outputs[value] for value, now in frames if value in outputs)}; written to page "
        f"{spread((now - value) % 2**BITS for value, now in frames)}; {len(frames) / took:.1f} frames a second in the "
        f"page, {(after['frames'] - before['frames']) / took:.1f} composed, {after['missed'] - before['missed']} missed; "
        f"{load * 1000:.0f} ms of CPU a second",
        flush=True,
    )


async def main() -> None:
    rtcrtpreceiver.decoder_worker = skip_decoding
    with tempfile.TemporaryDirectory() as folder:
        pipe = f"{folder}/pictures.i420"
        composed = f"{folder}/composed.i420"
        outputs: dict[int, float] = {}
        os.mkfifo(pipe)
        os.mkfifo(composed)
        threading.Thread(target=write_pictures, args=(pipe,), daemon=True).start()
        threading.Thread(target=note_outputs, args=(composed, outputs), daemon=True).start()
        program = subprocess.Popen(
            [PROGRAM, "--main", f"{pipe}?size={WIDTH}x{HEIGHT}&fps={RATE}", "--inset", "pattern:scene?size=320x180&fps=30",
             "--layout", "bottom-right,width=20%", "--pressure-policy", "off", "--output", composed, "--panel", "0"],
            stderr=subprocess.PIPE, text=True)
        address = ""
        for line in program.stderr:
            if "panel: " in line:
                address = line.split("panel: ")[1].strip().rstrip("/")
                break
        assert address, "the program does not start"
        threading.Thread(target=program.stderr.read, daemon=True).start()
        browser = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server",
             "--no-first-run", f"--user-data-dir={folder}/profile", "--remote-debugging-port=0",
             "--autoplay-policy=no-user-gesture-required", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            async with aiohttp.ClientSession() as session:
                page = await open_page(session, folder, address)
                await measure(session, page, program.pid, address, outputs, 1)
                peers = [await watch(session, address) for _ in range(15)]
                await measure(session, page, program.pid, address, outputs, 16)
                for peer in peers:
                    await peer.close()
        finally:
            browser.kill()
            program.terminate()
            browser.wait()
            program.wait()


asyncio.run(main())
