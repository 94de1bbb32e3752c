# Serves a live picture over RTSP at rtsp://127.0.0.1:PORT/live. The first argument is the port, and an optional second
# argument describes the picture as a GStreamer pipeline.
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(sys.argv[1])
factory = GstRtspServer.RTSPMediaFactory()
picture = sys.argv[2] if len(sys.argv) > 2 else "videotestsrc is-live=true ! video/x-raw,width=160,height=96,framerate=30/1"
factory.set_launch(
    f"( {picture} ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! rtph264pay name=pay0 pt=96 )"
)
factory.set_shared(True)
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
GLib.MainLoop().run()
