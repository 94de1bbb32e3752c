/// The two halves of a recording, one after the other: pip-compose composes and discards the frames, and GStreamer
/// encodes frames that were composed before, with the one thread with which pip-compose records.
///
/// A recording can hardly cost less. The second half reads each frame from a file, which a recording does not.
struct Apart: Sendable {
    var compose: PipCompose
    var recording: Recording

    /// The halves as a contender, in both pixel formats.
    var contender: Contender {
        let ways = [PixelLayout.nv12, .i420].map { format in
            Contender.Way(name: format.rawValue) { frames in
                let encode = Command(encoder(format, frames).split(separator: " ").map(String.init))
                return Command(
                    ["sh", "-c", "\(compose.command(format, frames: frames).shellText) && \(encode.shellText)"])
            }
        }
        return Contender(name: Name.apart, program: "gst-launch-1.0", ways: ways)
    }

    private func encoder(_ format: PixelLayout, _ frames: Int) -> String {
        let files = compose.site.inputs.composedPattern(format)
        return "gst-launch-1.0 -q \(GStreamer.source(files, format, frames, compose.site)) ! "
            + recording.gstreamer.replacing("x264enc", with: "x264enc threads=1")
    }
}
