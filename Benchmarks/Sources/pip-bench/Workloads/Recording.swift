/// The encoding of a recording, equal for all programs: H.264 by x264 with the preset `veryfast`, without look-ahead.
struct Recording: Sendable {
    /// The path of the file, without the program's name and the extension.
    var name: String
    /// The bit rate in bits a second.
    var bitRate: Int
    /// The number of frames from one key frame to the next.
    let keyFrameDistance = 60

    private func path(_ program: String) -> String { "\(name)-\(program).mp4" }

    /// The value of pip-compose's `--output`.
    func output(_ format: PixelLayout) -> String {
        "\(path("pip-compose-\(format.rawValue)"))?overwrite=on&encoder=x264enc&threads=1&speed=fast&gop=2s&bitrate=\(bitRate)"
    }

    /// The arguments of FFmpeg that follow the filter graph.
    var ffmpeg: [String] {
        [
            "-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-b:v", "\(bitRate)", "-maxrate",
            "\(bitRate)", "-bufsize", "\(bitRate)", "-g", "\(keyFrameDistance)", "-y", path("ffmpeg"),
        ]
    }

    /// The elements of GStreamer that follow the composed picture.
    var gstreamer: String {
        "x264enc bitrate=\(bitRate / 1000) pass=cbr vbv-buf-capacity=1000 speed-preset=veryfast tune=zerolatency "
            + "key-int-max=\(keyFrameDistance) ! h264parse ! mp4mux ! filesink location=\(path("gstreamer"))"
    }
}

extension Workloads {
    var recorded: Workload {
        let recording = Recording(
            name: "\(site.inputs.folder)/R1", bitRate: site.size.width * site.size.height * 3)
        let noMovie = "it only composes; another program would have to encode"
        return Workload(
            id: "R1", title: "plain, recorded as H.264 in MP4",
            ours: PipCompose(site: site, recording: recording),
            peers: [
                FFmpeg(site: site, graphs: [graph(main: "", inset: "")], recording: recording).contender,
                GStreamer(
                    site: site, branches: [.init(), .init(elements: videoscale, pad: pad)], recording: recording
                ).contender,
                Apart(compose: PipCompose(site: site), recording: recording).contender,
            ],
            absent: [Name.gl, Name.glRGBA, Name.glConverted, Name.openCV].map { Absentee(name: $0, reason: noMovie) })
    }
}
