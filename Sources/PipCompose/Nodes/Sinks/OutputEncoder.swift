/// The encoder of a recording or a stream, found by trying encoders in turn: see ``Session/encoders()``.
public struct OutputEncoder: Sendable, Equatable, CustomStringConvertible {
    /// An encoder that refused the frames.
    public struct Refusal: Sendable, Equatable {
        /// The encoder's name, as the option `?encoder=` takes it.
        public var name: String
        /// The reason of the refusal, as a sentence without its full stop.
        public var reason: String

        package init(name: String, reason: String) {
            self.name = name
            self.reason = reason
        }
    }

    /// The output's name in messages.
    public var output: String
    /// The format and size of the frames to encode.
    public var frames: FrameLayout
    /// The highest rate at which the output receives frames.
    public var rate: FrameRate
    /// The name of the first encoder that takes the frames; nil when none does.
    public var name: String?
    /// The CPU time that this process spends to encode a frame; nil when it is not known.
    public var timePerFrame: Duration?
    /// The encoders that refused the frames, in the order in which they were tried.
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

    /// A summary such as `v4l2h264enc: refused 1280x720 nv12: no such device; x264enc: 2.5 ms a frame`.
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
    /// True when an output of the graph may need an encoder.
    ///
    /// A sink of a camera's own frames counts: whether it must encode is known only once the camera sends.
    var encodes: Bool {
        sinks.contains { id in
            guard let opening = connectedSink(id)?.sink.opening else { return false }
            return opening.encoder != nil || opening.takesCamera
        }
    }
}
