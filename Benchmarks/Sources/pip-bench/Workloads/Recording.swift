/// The encoding of a recording, the same for every program: H.264 by x264 with the preset `veryfast`, without
/// look-ahead.
struct Recording: Sendable {
    /// The file, without its ending.
    var name: String
    /// Bits a second.
    var bitRate: Int
    /// Frames from one key frame to the next.
    let keyFrameDistance = 60

    private func path(_ program: String) -> String { "\(name)-\(program).mp4" }

    /// The value of `--output`.
    func output(_ format: PixelLayout) -> String {
        "\(path("pip-compose-\(format.rawValue)"))?overwrite=on&encoder=x264enc&threads=1&speed=fast&gop=2s&bitrate=\(bitRate)"
    }

    /// FFmpeg's words after the graph.
    var ffmpeg: [String] {
        [
            "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-b:v", "\(bitRate)", "-maxrate",
            "\(bitRate)", "-bufsize", "\(bitRate)", "-g", "\(keyFrameDistance)", "-y", path("ffmpeg"),
        ]
    }

    /// GStreamer's elements behind the picture.
    var gstreamer: String {
        "x264enc bitrate=\(bitRate / 1000) pass=cbr vbv-buf-capacity=1000 speed-preset=veryfast tune=zerolatency "
            + "key-int-max=\(keyFrameDistance) ! h264parse ! mp4mux ! filesink location=\(path("gstreamer"))"
    }
}

extension Workloads {
    var recorded: Workload {
        let recording = Recording(
            name: "\(site.inputs.folder)/R1", bitRate: site.size.width * site.size.height * 3)
        let noMovie = "it composes only: what encodes would be the peers' own"
        return Workload(
            id: "R1", title: "plain, recorded as H.264 in MP4",
            ours: PipCompose(site: site, recording: recording),
            peers: [
                FFmpeg(site: site, graphs: [graph(main: "", inset: "")], recording: recording).contender,
                GStreamer(
                    site: site, branches: [.init(), .init(elements: videoscale, pad: pad)], recording: recording
                ).contender,
            ],
            absent: [Name.gl, Name.glRGBA, Name.glConverted, Name.openCV].map { Absentee(name: $0, reason: noMovie) })
    }
}
