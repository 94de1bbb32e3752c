"""A WHIP server for tests: it decodes what is published to it, and tells what it has seen.

Usage: whip-server.py PORT TOKEN

POST to a path that ends in whip takes an offer, and DELETE of its Location ends the stream. GET /seen tells as JSON.
POST /moved leads to /whip. POST /ask asks the latest publisher for a key frame.
"""

import asyncio
import json
import sys

from aiohttp import web
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError

port, token = int(sys.argv[1]), sys.argv[2]
seen = {"numbers": [], "beeps": [], "publishers": 0, "deleted": 0, "refused": 0}
peers = {}


def number(frame):
    """Returns the number in a picture's pixels; -1 if they contain no number."""
    plane = frame.reformat(format="gray").planes[0]
    pixels = bytes(plane)

    def bits(row):
        start = int(frame.height * row) * plane.line_size
        return sum(1 << bit for bit in range(16) if pixels[start + int((bit + 0.5) * frame.width / 16)] > 127)

    value = bits(1 / 8)
    return value if value ^ bits(3 / 8) == 0xFFFF else -1


async def watch(track):
    try:
        while True:
            seen["numbers"].append(number(await track.recv()))
    except MediaStreamError:
        pass


async def listen(track):
    """Records the times at which a loud sound follows a tenth of a second of silence."""
    quiet = 0
    try:
        while True:
            frame = await track.recv()
            channels = len(frame.layout.channels)
            samples = memoryview(bytes(frame.planes[0])).cast("h")[: frame.samples * channels : channels]
            for index, sample in enumerate(samples):
                if abs(sample) > 4000:
                    if quiet > 4800:
                        seen["beeps"].append(float(frame.pts * frame.time_base) + index / frame.sample_rate)
                    quiet = 0
                else:
                    quiet += 1
    except MediaStreamError:
        pass


async def publish(request):
    if request.headers.get("Authorization") != f"Bearer {token}":
        seen["refused"] += 1
        return web.Response(status=401, text=f"not with {request.headers.get('Authorization')}")
    peer = RTCPeerConnection()
    tasks = []
    take = {"video": watch, "audio": listen}
    peer.on("track", lambda track: tasks.append(asyncio.ensure_future(take[track.kind](track))))
    await peer.setRemoteDescription(RTCSessionDescription(await request.text(), "offer"))
    await peer.setLocalDescription(await peer.createAnswer())
    seen["publishers"] += 1
    name = str(seen["publishers"])
    peers[name] = (peer, tasks)
    return web.Response(
        status=201,
        text=peer.localDescription.sdp,
        content_type="application/sdp",
        headers={"Location": f"resource/{name}"},
    )


async def retract(request):
    peer, _ = peers.pop(request.match_info["name"])
    seen["deleted"] += 1
    await peer.close()
    return web.Response()


async def ask(_):
    """Asks the latest publisher for a key frame."""
    peer, _ = list(peers.values())[-1]
    receiver = next(each.receiver for each in peer.getTransceivers() if each.kind == "video")
    for source in receiver.getSynchronizationSources():
        await receiver._send_rtcp_pli(source.source)
    return web.Response()


async def moved(_):
    raise web.HTTPTemporaryRedirect("/whip")


async def tell(_):
    return web.Response(text=json.dumps(seen), content_type="application/json")


app = web.Application()
app.add_routes(
    [
        web.post("/{path:.*}whip", publish),
        web.post("/moved", moved),
        web.delete("/resource/{name}", retract),
        web.get("/seen", tell),
        web.post("/ask", ask),
    ]
)
web.run_app(app, host="127.0.0.1", port=port, print=None)
