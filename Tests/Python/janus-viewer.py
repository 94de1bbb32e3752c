"""Watches a mountpoint of Janus's streaming plug-in, as a browser would, until some frames and sound have come.

Usage: janus-viewer.py URL ID FRAMES

Prints "WIDTHxHEIGHT, FRAMES frames, SAMPLES samples of sound"; a second of sound has to come, too.
"""

import asyncio
import sys
import uuid

import aiohttp
from aiortc import RTCPeerConnection, RTCSessionDescription

url, mountpoint, wanted = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


async def ask(http, path, **body):
    body["transaction"] = uuid.uuid4().hex
    async with http.post(f"{url}{path}", json=body) as response:
        answer = await response.json()
    assert answer["janus"] in ("success", "ack"), answer
    return answer


async def event(http, session, key):
    """Waits for the next event that has the key, and returns its value."""
    while True:
        async with http.get(f"{url}/{session}?maxev=1") as response:
            answer = await response.json()
        if key in answer:
            return answer[key]
        assert "error" not in answer.get("plugindata", {}).get("data", {}), answer


async def frames(track):
    for _ in range(wanted):
        frame = await track.recv()
    return f"{frame.width}x{frame.height}, {wanted} frames"


async def samples(track):
    count = 0
    while count < 48000:
        count += (await track.recv()).samples
    return f"{count} samples of sound"


async def main():
    peer = RTCPeerConnection()
    tasks = {}
    take = {"video": frames, "audio": samples}
    peer.on("track", lambda track: tasks.update({track.kind: asyncio.ensure_future(take[track.kind](track))}))
    async with aiohttp.ClientSession() as http:
        session = (await ask(http, "", janus="create"))["data"]["id"]
        handle = (await ask(http, f"/{session}", janus="attach", plugin="janus.plugin.streaming"))["data"]["id"]
        path = f"/{session}/{handle}"
        await ask(http, path, janus="message", body={"request": "watch", "id": mountpoint})
        offer = await event(http, session, "jsep")
        await peer.setRemoteDescription(RTCSessionDescription(offer["sdp"], offer["type"]))
        await peer.setLocalDescription(await peer.createAnswer())
        answer = {"type": "answer", "sdp": peer.localDescription.sdp}
        await ask(http, path, janus="message", body={"request": "start"}, jsep=answer)
        print(", ".join([await tasks["video"], await tasks["audio"]]))
        await ask(http, f"/{session}", janus="destroy")
    await peer.close()


asyncio.run(asyncio.wait_for(main(), 60))
