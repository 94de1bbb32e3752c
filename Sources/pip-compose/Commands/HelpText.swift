/// The sources, sinks and values that `compose --help` explains.
enum HelpText {
    static let compose: HelpPage = [
        .table(
            "SOURCE",
            [
                "/dev/video0, camera:0, camera:C920":
                    "A camera: by path, by number in `devices`, by a part of its name.",
                "camera:front, camera:back, camera:first":
                    "The camera that is built in there; first is the back one or else the one at the lowest port.",
                "camera:portal, camera:portal:C920":
                    "A camera of the desktop's portal, which asks the user: in sandboxes (Flatpak, Snap).",
                "pattern:scene, :bars, :ramp, :noise": "A generated picture.",
                "clip.y4m": "Frames without compression.",
                "photo.jpg, anim.gif, logo.png": "A picture or an animation: also WebP, BMP, TIFF, AVIF and HEIC.",
                "photos/, frames/%03d.png": "The pictures of a folder, or of numbered files, one after the other.",
                "-": "Y4M on standard input.",
                "clip.mp4, .mov, .mkv, .webm, .ts": "A movie; any other file with ?format=movie.",
                "rtsp://…, srt://…, https://…, udp://…":
                    "A stream, connected again for ever; ${NAME} and ${file:PATH} stand for keys.",
                "gst:ELEMENTS": "Elements as gst-launch-1.0 has them.",
                "raw.nv12?size=1280x720": "Bare frames, at ?fps=30; any other file with ?format=nv12&size=1280x720.",
            ]),
        .table(
            "OPTIONS OF A SOURCE, as a query (quote it for the shell)",
            [
                "cameras": """
                ?size=1280x720&fps=30&format=mjpeg, or ?preset=high; limit=10 uses fewer frames, and the device \
                stays as it is; rotate=90 (clockwise; mounting, as its driver says, is the default; device: as an \
                accelerometer says); color-space=bt709 (of drivers that convert colours); control.brightness=10 \
                (as `v4l2-ctl --list-ctrls` names them), or by meaning: exposure=1/50s&iso=200&focus=once
                """,
                "patterns": "?size=640x360&fps=15&seed=1&format=nv12",
                "files": "?loop=true",
                "pictures":
                    "?fps=12&loop=off; animations loop unless told otherwise, folders and numbered files do not.",
                "movies":
                    "?loop=on&from=10s&to=1m&fps=30; alpha=ignore, straight or premultiplied is the meaning of transparency.",
                "streams": """
                ?latency=200ms&transport=udp&fps=30; a query of the address's own stays with it, unless all of \
                its names are these: then write ? behind it
                """,
            ]),
        .table(
            "SINK",
            [
                "out.mp4, .mkv, .mov, .webm, .ts": """
                A recording; ?codec=h264 (h265, av1, vp8, vp9, mjpeg), bitrate=4M or quality=0…100, gop=2s \
                (intra), speed=fast (fastest, balanced, thorough), encoder=x264enc, threads=1 (the least work, \
                the longest frame), segment=3m or 200MB, keep=20GB or 7d, overwrite=on, rotate=90 (players turn \
                the picture; .mp4 and .mov). %Y%m%d-%H%M%S and %05d are filled in; SIGUSR1 begins the next file \
                of a recording in parts. main:out.mp4 and inset:out.mp4 have every frame of a camera as its \
                driver delivers it; with frames=composed, the session's frames.
                """,
                "live/index.m3u8": "A live stream as files for a web server.",
                "rtmp://, srt://, rtsp://, udp://, rtp://": """
                A stream; codec, bitrate … as above, all else is the server's: srt://host:9000?latency=200. \
                ${NAME} and ${file:PATH} stand for keys; rtp://…?sdp=FILE writes what players open.
                """,
                "whip+https://host/path?token=KEY":
                    "A publication by WebRTC; codec=h264 or vp8, ice=stun:host:port.",
                "frames/%05d.png, frames/%05d.jpg": "One file a frame; ?quality=1…100.",
                "out.y4m, -": "Y4M, 4:2:0; - is standard output.",
                "out.nv12, out.i420, out.rgba": "Bare frames.",
                "/dev/video10, virtual-camera:LABEL": """
                A v4l2loopback device, which others see as a camera (`doctor` makes one); virtual-camera: is the \
                first free one; ?format=i420, nv12 or yuyv.
                """,
                "window:TITLE": """
                A window on Wayland or X; ?fullscreen, rotate=90 (180, 270), fit=fit (fill, stretch), display=:0 \
                or wayland-0; closing it ends the output.
                """,
                "kms:CONNECTOR": """
                A whole screen without a desktop, as kms:HDMI-A-1 or kms:/dev/dri/card1; kms: is the first one; \
                ?rotate, fit as above.
                """,
                "gst:ELEMENTS": "Elements as gst-launch-1.0 has them, which get frames of 4:2:0.",
                "null:, null:?format=nv12": "Drawn and read back, not written.",
            ]),
        .paragraph(
            """
            Any path with ?format=y4m (png, jpg, nv12, i420, rgba) is of that kind. Each sink may have its own \
            ?size=640x360 and ?fps=10 (at most so many). main:SINK, inset:SINK get one source's own picture. Files: \
            ?on-full=wait waits for a full or failing disk and goes on in out-2.y4m, or with the next picture \
            (default: stop, the file ends with a whole frame).
            """),
        .table(
            "OTHER VALUES",
            [
                "TARGET": "main, inset, inset2 … or output, which is after composition.",
                "CHAIN": """
                Effects as FFmpeg writes filters: vignette=0.4,gaussian-blur=radius=4. The first bare value is \
                the main parameter; further ones follow in order. \\ takes the next character as it is, '…' all \
                between. essential=on keeps an effect under pressure. `pip-compose effects` lists the effects. \
                ./tint.glsl=amount=0.5 is one of a GLSL file, which is drawn anew whenever it changes.
                """,
                "LAYOUT": """
                top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right or at=X:Y, then \
                any of: width=25% or 320, height=…, margin=24, opacity=0.8, radius=16, border=2:white, shadow=8, \
                rotate=90, mirror, fit=fill (fit, stretch), crop=X:Y:W:H, z=N, blend=multiply (see `pip-compose \
                effects`), sampling=lanczos. One for each inset. Or one for all: side-by-side, top-bottom, grid, \
                main-only. Default: top-right,width=25%,margin=24; others in the other corners.
                """,
                "OPTION": """
                Those of a layout (--watermark, --sticker without width: at their own size); --text, --clock: \
                size=32, font=NAME or FILE, color=white, outline=2:black, background=#00000080, padding=8, \
                align=start; --clock: zone=local (utc, +05:30); --sticker: fps=12, loop=false. In a text \\, is a \
                comma and \\n a new line.
                """,
                "POLICY": """
                hold the last frame, freeze (that with a badge on it), hide the picture, show a slate, or \
                promote the other picture to its place.
                """,
                "TIME": "10s, 1m30s, 500ms.",
            ]),
        .table(
            "EXIT STATUS",
            [
                "0": """
                Done, also after Ctrl-C with every file finished, or when the reader of its standard output has \
                had enough or its window is closed.
                """,
                "64": "Wrong usage.",
                "65": "Broken input.",
                "66": "No such camera or file.",
                "69": "A device is busy, or there is no renderer.",
                "70": "A mistake of pip-compose's own.",
                "73": "An output cannot be created.",
                "74": "An output failed.",
                "75": "As a service: camera drivers hang, and a new start may help.",
                "77": "No permission.",
            ]),
    ]
}
