"""Measures how long a picture takes to players of the RTSP server.

Usage: rtsp-delay.py PROGRAM SECONDS

PROGRAM composes pictures that have a moment in their pixels, and serves them. FFmpeg, without buffers, and then PROGRAM
itself, which waits for late packets for 20 ms at most, play by TCP, and write what they show into a pipe. Prints a line
for each.
"""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

from moments import BITS, HEIGHT, RATE, WIDTH, note_outputs, spread, write_pictures

PROGRAM, SECONDS = sys.argv[1], int(sys.argv[2])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def measure(name: str, player: list[str], shown_pipe: str, outputs: dict[int, float]) -> None:
    """Starts a player, and prints how long after their output its pictures are shown."""
    shown: dict[int, float] = {}
    os.mkfifo(shown_pipe)
    threading.Thread(target=note_outputs, args=(shown_pipe, shown), daemon=True).start()
    process = subprocess.Popen(player, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        # The player's start is not measured.
        time.sleep(5)
        shown.clear()
        time.sleep(SECONDS)
        pictures = dict(shown)
    finally:
        process.kill()
        process.wait()
    delays = [came - outputs[moment] for moment, came in pictures.items() if moment in outputs]
    assert delays, f"{name} shows nothing that can be read"
    print(f"{name}: output to shown {spread(delays)}; {len(pictures) / SECONDS:.1f} pictures a second", flush=True)


with tempfile.TemporaryDirectory() as folder:
    pictures, composed = f"{folder}/pictures.i420", f"{folder}/composed.i420"
    outputs: dict[int, float] = {}
    for pipe in (pictures, composed):
        os.mkfifo(pipe)
    threading.Thread(target=write_pictures, args=(pictures,), daemon=True).start()
    threading.Thread(target=note_outputs, args=(composed, outputs), daemon=True).start()
    address = f"127.0.0.1:{free_port()}/cam"
    server = subprocess.Popen(
        [PROGRAM, "--main", f"{pictures}?size={WIDTH}x{HEIGHT}&fps={RATE}", "--inset", "pattern:scene?size=320x180&fps=30",
         "--layout", "bottom-right,width=20%", "--pressure-policy", "off", "--output", composed,
         "--output", f"rtsp-server:{address}"], stderr=subprocess.DEVNULL)
    try:
        time.sleep(2)
        measure(
            "FFmpeg",
            ["ffmpeg", "-v", "quiet", "-fflags", "nobuffer", "-flags", "low_delay", "-rtsp_transport", "tcp",
             "-probesize", "32", "-analyzeduration", "0", "-i", f"rtsp://{address}", "-fps_mode", "passthrough",
             "-pix_fmt", "yuv420p", "-f", "rawvideo", "-y", f"{folder}/ffmpeg.i420"],
            f"{folder}/ffmpeg.i420", outputs)
        measure(
            "pip-compose",
            [PROGRAM, "--main", f"rtsp://{address}?latency=20ms", "--layout", "main-only", "--fps", "camera",
             "--size", f"{WIDTH}x{HEIGHT}", "--output", f"{folder}/ours.i420"],
            f"{folder}/ours.i420", outputs)
    finally:
        server.terminate()
        server.wait(timeout=10)
