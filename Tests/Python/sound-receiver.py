"""Writes a stream with sound to a Matroska file as it comes, until it is killed.

Usage: sound-receiver.py rtsp PORT FILE [PATH] (what is published to rtsp://127.0.0.1:PORT/live, or PATH; H.264 and AAC)
       sound-receiver.py rtp PORT FILE (H.264 at PORT, Opus at PORT + 2, and the reports behind each)
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

kind, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
Gst.init(None)
file = f"matroskamux name=mux streamable=true ! filesink async=false location={path}"
if kind == "rtsp":
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(str(port))
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
    factory.set_launch(
        f"( {file} rtpmp4gdepay name=depay0 ! aacparse ! queue ! mux."
        " rtph264depay name=depay1 ! h264parse ! queue ! mux. )"
    )
    server.get_mount_points().add_factory(sys.argv[4] if len(sys.argv) > 4 else "/live", factory)
    server.attach(None)
else:
    caps = {
        0: "media=video,clock-rate=90000,encoding-name=H264,payload=96",
        1: "media=audio,clock-rate=48000,encoding-name=OPUS,payload=97",
    }
    sources = " ".join(
        f"udpsrc port={port + 2 * index} caps=application/x-rtp,{text} ! rtp.recv_rtp_sink_{index}"
        f" udpsrc port={port + 2 * index + 1} caps=application/x-rtcp ! rtp.recv_rtcp_sink_{index}"
        for index, text in caps.items()
    )
    pipeline = Gst.parse_launch(
        f"{file} rtph264depay name=video ! h264parse ! queue ! mux."
        f" rtpopusdepay name=sound ! opusparse ! queue ! mux. rtpbin name=rtp {sources}"
    )

    def link(_, pad):
        name = pad.get_name()
        if name.startswith("recv_rtp_src_"):
            target = "video" if name.startswith("recv_rtp_src_0") else "sound"
            pad.link(pipeline.get_by_name(target).get_static_pad("sink"))

    pipeline.get_by_name("rtp").connect("pad-added", link)
    pipeline.set_state(Gst.State.PLAYING)
GLib.MainLoop().run()
