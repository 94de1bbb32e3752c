/// The encoder of a recording or a stream, found by trying: ``Session/encoders()``.
public struct OutputEncoder: Sendable, Equatable, CustomStringConvertible {
    /// An encoder that does not take the frames.
    public struct Refusal: Sendable, Equatable {
        /// Its name, which `?encoder=` takes.
        public var name: String
        /// The reason why it was passed over, as a sentence without its full stop.
        public var reason: String

        package init(name: String, reason: String) {
            self.name = name
            self.reason = reason
        }
    }

    /// The output's name in messages.
    public var output: String
    /// The frames to encode.
    public var frames: FrameLayout
    /// Frames a second, at most.
    public var rate: FrameRate
    /// The encoder that does the work; nil when none does.
    public var name: String?
    /// CPU time of this process for a frame; nil when it is not known.
    public var timePerFrame: Duration?
    /// The encoders that were tried before it, in their order.
    public var refused: [Refusal]

    package init(
        output: String, frames: FrameLayout, rate: FrameRate, name: String? = nil, timePerFrame: Duration? = nil,
        refused: [Refusal] = []
    ) {
        self.output = output
        self.frames = frames
        self.rate = rate
        self.name = name
        self.timePerFrame = timePerFrame
        self.refused = refused
    }

    /// Like `v4l2h264enc: refused 1280x720 nv12: no such device; x264enc: 2.5 ms a frame`.
    public var description: String {
        var parts = refused.map { "\($0.name): refused \(frames.size) \(frames.format): \($0.reason)" }
        if let name {
            let time = timePerFrame.map { " \(($0 / .milliseconds(1) * 10).rounded() / 10) ms a frame" }
            parts.append(time.map { "\(name):\($0)" } ?? name)
        } else {
            parts.append("no encoder")
        }
        return parts.joined(separator: "; ")
    }
}

extension Graph {
    /// True when an output of it may be encoded: what a camera sends is known only while it does.
    var encodes: Bool {
        sinks.contains { id in
            guard let opening = connectedSink(id)?.sink.opening else { return false }
            return opening.encoder != nil || opening.takesCamera
        }
    }
}
