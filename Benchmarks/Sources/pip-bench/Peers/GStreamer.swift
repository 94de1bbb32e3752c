/// Builds commands for GStreamer's `compositor`, which works on the CPU.
///
/// The caps of Y'CbCr sources and of the output contain the colorimetry. Without a colorimetry, the compositor converts
/// its inputs, at three times the cost.
struct GStreamer: Sendable {
    /// The part of the pipeline between a source and the compositor.
    struct Branch: Sendable {
        /// The elements, each followed by `!`; `{format}` stands for the output's format.
        var elements = ""
        /// The properties of the compositor's pad.
        var pad = ""
    }

    var site: Site
    /// The pixel format of the inputs; nil if it is the output's.
    var input: PixelLayout?
    var branches: [Branch]
    /// True when the sources are JPEG files, one for each frame.
    var readsMovies = false
    /// The part of the workload that GStreamer omits; nil for none.
    var lacks: String?
    /// The encoding of the composed picture; nil if the picture is discarded.
    var recording: Recording?

    /// GStreamer as a contender.
    ///
    /// The variants are both pixel formats, each with one thread and with one thread for each core.
    var contender: Contender {
        var ways: [Contender.Way] = []
        for threads in [1, 0] {
            for format in [PixelLayout.i420, .nv12] {
                ways.append(
                    Contender.Way(name: "\(format.rawValue), \(threads == 1 ? "1 thread" : "default threads")") {
                        frames in
                        command(format, threads: threads, frames: frames)
                    })
            }
        }
        return Contender(name: Name.gstreamer, program: "gst-launch-1.0", lacks: lacks, ways: ways)
    }

    private func command(_ format: PixelLayout, threads: Int, frames: Int) -> Command {
        var text = "compositor name=c background=black max-threads=\(threads)"
        for (index, branch) in branches.enumerated() {
            for property in branch.pad.split(separator: " ") { text += " sink_\(index)::\(property)" }
        }
        text += " ! \(caps(format)),width=\(site.size.width),height=\(site.size.height) ! "
        text += recording?.gstreamer ?? "fakesink sync=false"
        for (index, branch) in branches.enumerated() {
            let elements = branch.elements.replacing("{format}", with: format.gstreamer)
            let source =
                readsMovies
                ? Self.jpegs(index, frames, site)
                : Self.source(
                    site.inputs.framePattern(index, input ?? format), input ?? format, frames, site)
            text += " \(source) ! \(elements) c.sink_\(index)"
        }
        return Command(["gst-launch-1.0", "-q"] + text.split(separator: " ").map(String.init))
    }

    /// The elements that read files with single frames, whose names have a pattern, in a loop.
    ///
    /// The parser sets timestamps and copies nothing.
    static func source(_ pattern: String, _ layout: PixelLayout, _ frames: Int, _ site: Site) -> String {
        "multifilesrc location=\(pattern) start-index=0 stop-index=\(site.inputs.frames - 1) "
            + "loop=true num-buffers=\(frames) ! rawvideoparse format=\(layout.parser) width=\(site.size.width) "
            + "height=\(site.size.height) framerate=30/1" + (layout == .rgba ? "" : " colorimetry=bt709")
    }

    /// The elements that read the JPEG files in a loop and decode them.
    static func jpegs(_ source: Int, _ frames: Int, _ site: Site) -> String {
        "multifilesrc location=\(site.inputs.jpegPattern(source)) start-index=0 stop-index=\(site.inputs.frames - 1) "
            + "loop=true num-buffers=\(frames) caps=image/jpeg,framerate=30/1 ! jpegdec"
    }

    private func caps(_ format: PixelLayout) -> String {
        "video/x-raw,format=\(format.gstreamer),framerate=30/1,colorimetry=bt709"
    }
}
