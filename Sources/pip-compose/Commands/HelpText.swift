/// The sources, sinks and values that `compose --help` explains.
enum HelpText {
    static let compose: HelpPage = [
        .table(
            "SOURCE",
            [
                "/dev/video0, camera:0, camera:C920":
                    "A camera: by path, by number in `devices`, by a part of its name.",
                "camera:front, camera:back, camera:first":
                    "The camera on that side of the device; first: the back camera, or else the one at the lowest port.",
                "camera:portal, camera:portal:C920":
                    "A camera by the desktop's portal, which asks the user for permission; for sandboxes (Flatpak, Snap).",
                "pattern:scene, :bars, :ramp, :noise": "A generated picture.",
                "clip.y4m": "A Y4M file: a movie without compression.",
                "photo.jpg, anim.gif, logo.png": "A picture or an animation: also WebP, BMP, TIFF, AVIF and HEIC.",
                "photos/, frames/%03d.png": "The pictures of a folder, or of numbered files, one after the other.",
                "-": "Y4M on standard input.",
                "clip.mp4, .mov, .mkv, .webm, .ts": "A movie; ?format=movie reads any other file as one.",
                "rtsp://…, srt://…, https://…, udp://…":
                    "A stream, connected again whenever it breaks off; ${NAME} and ${file:PATH} stand for passwords and keys.",
                "gst:ELEMENTS": "GStreamer elements, in the syntax of gst-launch-1.0.",
                "raw.nv12?size=1280x720":
                    "Frames without a header; ?fps=30 is their rate. ?format=nv12&size=1280x720 reads any other file so.",
            ]),
        .table(
            "OPTIONS OF A SOURCE, as a query (quote it for the shell)",
            [
                "cameras": """
                ?size=1280x720&fps=30&format=mjpeg, or ?preset=high. limit=10 uses 10 frames a second at most, \
                whatever the device delivers. rotate=90 turns the picture clockwise; mounting (the default) turns it \
                as the driver says, device as an accelerometer says. color-space=bt709 asks a driver that converts \
                colours. exposure=1/50s&iso=200&focus=once sets the camera, as --camera does; control.brightness=10 \
                sets a driver's control by its name in `v4l2-ctl --list-ctrls`.
                """,
                "patterns": "?size=640x360&fps=15&seed=1&format=nv12",
                "files": "?loop=true",
                "pictures":
                    "?fps=12&loop=off; animations loop unless told otherwise, folders and numbered files do not.",
                "movies":
                    "?loop=on&from=10s&to=1m&fps=30; alpha=ignore, straight or premultiplied says how to read transparency.",
                "streams": """
                ?latency=200ms&transport=udp&fps=30. A query with any other name belongs to the address. If all names \
                in the address's own query are among these, end the address with ?.
                """,
            ]),
        .table(
            "SINK",
            [
                "out.mp4, .mkv, .mov, .webm, .ts": """
                A recording; ?codec=h264 (h265, av1, vp8, vp9, mjpeg), bitrate=4M or quality=0…100, gop=2s \
                (intra), speed=fast (fastest, balanced, thorough), encoder=x264enc, threads=1 (the least work in \
                all, but the longest time for a frame), segment=3m or 200MB (a recording in parts), keep=20GB or 7d \
                (deletes older parts), overwrite=on, rotate=90 (players turn the picture; .mp4 and .mov). In the \
                name, %Y%m%d-%H%M%S becomes the time and %05d the part's number; SIGUSR1 begins the next part. \
                With event=15s+10s nothing is recorded but a clip of each marked moment, from 15 s before it to \
                10 s after it; SIGUSR1 and the panel mark a moment. lock=2GB locks complete clips up to that size. \
                values=on adds a track of the values of --telemetry (.mp4, .mov, .mkv). \
                every=10s (or speed-up=250) makes a time-lapse without sound: it takes a picture each 10 s, and plays \
                25 a second, or ?fps=; when=light>0.1 leaves out pictures in the dark, when=motion>0.02 those in \
                which nothing has moved. \
                main:out.mp4 and inset:out.mp4 (.mov, .mkv) without options of the encoder have every frame of a \
                camera as its driver delivers it; with frames=composed, its frames at the output's rate.
                """,
                "live/index.m3u8": "A live stream as files for a web server.",
                "rtmp://, srt://, rtsp://, udp://, rtp://": """
                A stream; codec, bitrate … as above. Other options stay in the address, for the server: \
                srt://host:9000?latency=200. ${NAME} and ${file:PATH} stand for keys. rtp://…?sdp=FILE also writes \
                the file that players open.
                """,
                "rtsp-server:0.0.0.0:8554/cam": """
                A stream that players pull: VLC, FFmpeg, recorders; codec=h264, h265 or mjpeg, bitrate … as above. \
                With viewer:${PASSWORD}@ before the host, players are asked for that user. announce=NAME lets the \
                local network find it. rtsps-server:, with certificate=FILE and key=FILE, serves by TLS.
                """,
                "whip+https://host/path?token=KEY":
                    "A stream to a server by WebRTC (WHIP); codec=h264 or vp8, ice=stun:host:port.",
                "frames/%05d.png, frames/%05d.jpg":
                    "One file a frame; ?quality=1…100; every=10s&when=light>0.1 as above.",
                "out.y4m, -": "Y4M, 4:2:0; - is standard output.",
                "out.nv12, out.i420, out.rgba": "Frames without a header.",
                "/dev/video10, virtual-camera:LABEL": """
                A v4l2loopback device, which other programs see as a camera (`doctor` says how to make one); \
                virtual-camera: is the first free one; ?format=i420, nv12 or yuyv.
                """,
                "window:TITLE": """
                A window on Wayland or X; ?fullscreen, rotate=90 (180, 270), fit=fit (fill, stretch), display=:0 \
                or wayland-0; closing it ends the output.
                """,
                "kms:CONNECTOR": """
                A whole screen without a desktop, as kms:HDMI-A-1 or kms:/dev/dri/card1; kms: is the first one; \
                ?rotate, fit as above.
                """,
                "gst:ELEMENTS": "GStreamer elements, in the syntax of gst-launch-1.0; they get frames of 4:2:0.",
                "null:, null:?format=nv12": "Frames are drawn and read back, but not written.",
            ]),
        .paragraph(
            """
            ?format=y4m (png, jpg, nv12, i420, rgba) sets the kind of any path. A sink of pictures, but gst:, may have \
            its own ?size=640x360, and ?fps=10 for 10 frames a second at most. main:SINK and inset:SINK get the picture of one \
            source alone. When a disk is full or fails, a file ends with a whole frame; with ?on-full=wait, it waits \
            for the disk, and goes on in out-2.y4m or with the next picture.
            """),
        .table(
            "OTHER VALUES",
            [
                "TARGET": "main, inset, inset2 …, or output: the composed picture.",
                "CHAIN": """
                Effects as FFmpeg writes filters: vignette=0.4,gaussian-blur=radius=4. The first bare value is \
                the main parameter; further ones follow in order. A character behind \\ and all between '…' have no \
                special meaning. essential=on keeps an effect under pressure. `pip-compose effects` lists the \
                effects. ./tint.glsl=amount=0.5 is an effect from a GLSL file, which is read again whenever it changes.
                """,
                "LAYOUT": """
                top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right or at=X:Y, then \
                any of: width=25% or 320, height=…, margin=24, opacity=0.8, radius=16, border=2:white, shadow=8, \
                rotate=90, mirror, fit=fill (fit, stretch), crop=X:Y:W:H, z=N, blend=multiply (see `pip-compose \
                effects`), sampling=lanczos. One for each inset. Or one for all: side-by-side, top-bottom, grid, \
                main-only. Default: top-right,width=25%,margin=24; further insets in the other corners.
                """,
                "OPTION": """
                The options of a layout; without width, --watermark and --sticker have their own size. --text and \
                --clock also have size=32, font=NAME or FILE, color=white, outline=2:black, background=#00000080, \
                padding=8, align=start; --clock has zone=local (utc, +05:30); --sticker has fps=12, loop=false; \
                --gauge has size=200 and color, a dial also from=0, to and unit, a meter to=1. In a \
                text, \\, is a comma and \\n a new line.
                """,
                "POLICY": """
                hold (keep the last frame), freeze (the last frame, with a badge), hide (leave the picture out), slate \
                (show a card with the reason), or promote (the other picture takes its place).
                """,
                "TIME": "10s, 1m30s, 500ms.",
            ]),
        .table(
            "EXIT STATUS",
            [
                "0": """
                Done: at the end, after Ctrl-C, or when the reader of the standard output has left or a window was \
                closed. Every file is finished.
                """,
                "64": "Wrong usage.",
                "65": "Broken input.",
                "66": "No such camera or file.",
                "69": "A device is busy, or there is no renderer.",
                "70": "An internal error of pip-compose.",
                "73": "An output cannot be created.",
                "74": "An output failed.",
                "75": "Camera drivers hang in a service, or a signal stopped a shard: a new start may help.",
                "77": "No permission.",
                "78": "A mistake in the file of a policy or a configuration, or in the panel's settings.",
            ]),
    ]
}
