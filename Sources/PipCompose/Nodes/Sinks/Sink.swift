/// A destination for frames: `picture --> Y4MFile("out.y4m")`.
///
/// The library's sinks are values that describe an output's kind and options. ``CustomSink`` is for an app's own
/// destination. Connecting a sink gives an ``Output``, the handle that pauses and stops the sink while the session
/// runs.
public protocol Sink: SinkSpecification {
    /// The functions that open the sink.
    var opening: SinkOpening { get }
    /// The size of the sink's frames; nil takes the picture's size.
    var frameSize: PixelSize? { get }
    /// The most frames a second that the sink takes; nil takes all frames.
    var frameRate: FrameRate? { get }
    /// The time from one frame of the sink to the next; nil takes all frames of ``frameRate``.
    var interval: Duration? { get }
}

extension Sink {
    /// Nil: the sink takes frames of the picture's size.
    public var frameSize: PixelSize? { nil }
    /// Nil: the sink takes every frame.
    public var frameRate: FrameRate? { nil }
    /// Nil: the sink takes frames at its frame rate.
    public var interval: Duration? { nil }

    /// Returns the same sink for frames of another size.
    ///
    /// The session scales the picture once for all sinks of the same size and format.
    public func scaled(to size: PixelSize) -> some Sink {
        AdjustedSink(base: self, frameSize: size, frameRate: frameRate, interval: interval)
    }

    /// Returns the same sink with a limited frame rate.
    ///
    /// The sink's frames are evenly spaced. A file whose header states a rate states the limited rate.
    public func limited(to rate: FrameRate) -> some Sink {
        AdjustedSink(base: self, frameSize: frameSize, frameRate: rate, interval: interval)
    }

    /// Returns the same sink with one frame in each interval.
    ///
    /// ```swift
    /// picture --> JPEGFiles("shot-%06d.jpg").taken(every: .seconds(10))
    /// ```
    ///
    /// Frame k is the first one at or after k intervals since the sink's first frame. Nothing is drawn for the frames
    /// in between.
    ///
    /// - Parameters:
    ///   - interval: The time from one frame to the next, at least the time between two frames of the session.
    ///   - condition: The condition that a frame must meet. The sink leaves out other frames. Nil takes each frame.
    /// - Returns: The sink.
    public func taken(every interval: Duration, when condition: PictureCondition? = nil) -> some Sink {
        AdjustedSink(
            base: self, frameSize: frameSize, frameRate: frameRate, interval: interval, condition: condition)
    }
}

/// A sink for frames of another size or rate, or for chosen frames.
private struct AdjustedSink: Sink {
    let base: any Sink
    let frameSize: PixelSize?
    let frameRate: FrameRate?
    let interval: Duration?
    var condition: PictureCondition?

    var label: String { base.label }
    var destination: SinkDestination? { base.destination }
    var opening: SinkOpening { base.opening.taking(condition) }
}

/// The functions that open a sink.
///
/// Only the library's sinks create an opening, so that every connected sink can be opened.
public struct SinkOpening: Sendable {
    /// Returns the format of the frames that the sink takes.
    ///
    /// - Throws: ``SinkError`` when the sink cannot be opened with its name and options.
    let request: @Sendable () throws(SinkError) -> SinkRequest
    /// Opens the destination for frames of a known format.
    private(set) var open: @Sendable (SinkContext) throws(SinkError) -> any FrameReceiver
    /// Ends the streams that an app waits on; called even if the sink was never opened.
    private let onEnd: @Sendable () -> Void
    /// The files that the sink takes beside the picture, such as sound; nil for none.
    let inputs: (any SinkInputs)?
    /// Tries encoders until one takes frames of this format at this rate; nil for a sink that encodes nothing.
    let encoder: (@Sendable (FrameInfo, FrameRate) -> OutputEncoder)?
    /// The most frames that the destination holds while it works on them, besides those in its queue.
    let heldFrames: Int
    /// True when the session's statistics list the sink's counts.
    let isListed: Bool
    /// True for a sink that records a camera's own frames instead of drawn ones.
    let takesCamera: Bool

    package init(
        request: @escaping @Sendable () throws(SinkError) -> SinkRequest,
        encoder: (@Sendable (FrameInfo, FrameRate) -> OutputEncoder)? = nil,
        heldFrames: Int = 0, isListed: Bool = true, takesCamera: Bool = false, inputs: (any SinkInputs)? = nil,
        open: @escaping @Sendable (SinkContext) throws(SinkError) -> any FrameReceiver,
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.request = request
        self.encoder = encoder
        self.heldFrames = heldFrames
        self.isListed = isListed
        self.takesCamera = takesCamera
        self.inputs = inputs
        self.open = open
        onEnd = end
    }

    /// Ends the streams that an app waits on, and closes the files that were opened and not used.
    func end() {
        onEnd()
        inputs?.close()
    }

    /// Returns the opening of a sink that takes only frames that meet a condition; nil takes all frames.
    package func taking(_ condition: PictureCondition?) -> SinkOpening {
        guard let condition else { return self }
        var opening = self
        opening.open = { [open] context throws(SinkError) in ConditionalReceiver(try open(context), condition) }
        return opening
    }
}

/// The files that a sink takes beside its picture, such as sound: they are opened with the session's sources.
package protocol SinkInputs: Sendable {
    /// Opens the files that are not open yet; a pipe blocks until its writer comes or the interruption is raised.
    ///
    /// - Throws: ``SourceError`` for the first file that cannot be opened.
    func open(until interruption: Interruption) throws(SourceError)

    /// Closes the files that nothing has been read from.
    func close()
}

/// The frame format, the picture's origin, the queue settings and the callbacks that a sink is opened with.
package struct SinkContext {
    package var info: FrameInfo
    /// The node whose picture the sink takes.
    package var picture: NodeID
    /// The camera's own frames, where the picture is a camera's; else nil.
    package var camera: CameraFeed?
    /// The names of the open cameras that the picture may show.
    package var cameraNames: [String]
    package var rate: FrameRate
    package var capacity: Int
    package var policy: QueuePolicy
    package var clock: MonotonicClock
    /// The objects that the session's outputs share.
    package var shared: SharedResources
    package var onEvent: @Sendable (SinkEvent) -> Void
    package var onError: @Sendable (SinkError) -> Void
}

/// An opened sink, which takes frames on the render thread.
package protocol FrameReceiver: Sendable {
    /// Announces a frame before the session submits it to its receivers.
    func expect(_ frame: Frame)
    /// Takes a frame, or drops and counts it.
    ///
    /// A receiver that may not drop frames waits for room in its queue.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - repeats: The number of ticks before the frame that were left out. A file of a fixed rate repeats the frame
    ///     for these ticks.
    ///   - deadline: The end of the wait for room.
    /// - Returns: False when there was no room until the deadline.
    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool
    var statistics: OutputStatistics { get }
    /// Ends the receiver, which first works on the frames that it was given, for as long as the deadline permits.
    ///
    /// - Returns: True when the receiver has ended by the deadline. If not, the receiver may end later.
    func finish(by deadline: Timestamp) async -> Bool
    /// Begins a new file with the next frame.
    ///
    /// - Returns: False when the receiver is not a movie recording.
    func split() -> Bool
    /// Writes a clip of the time before and after a moment.
    ///
    /// - Returns: False when the receiver is not a recording of clips.
    func mark(_ moment: Moment) -> Bool
    /// Pauses or resumes the receiver.
    ///
    /// The session calls this for receivers of a camera's own frames only.
    func setPaused(_ isPaused: Bool)
}

extension FrameReceiver {
    package func expect(_ frame: Frame) {}

    package func split() -> Bool { false }

    package func mark(_ moment: Moment) -> Bool { false }

    package func setPaused(_ isPaused: Bool) {}
}

extension SinkRunner: FrameReceiver {
    package func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        submit(frame, repeats: repeats, until: .some(deadline))
    }
}

extension SinkDestination {
    /// The destination of a file, a pattern of files, a pipe or a device; nil for `/dev/null`, which several sinks may
    /// share.
    package static func file(_ path: String) -> SinkDestination? { path == "/dev/null" ? nil : .path(path) }
}

extension SinkOpening {
    /// Creates the opening of a sink that writes frames on a thread of its own, behind a bounded queue.
    ///
    /// - Parameters:
    ///   - recovery: Makes the recovery for a full or failing disk; nil ends the sink on the first error.
    ///   - makeWriter: Makes the writer: once to learn its format, and again when the sink is opened.
    /// - Returns: The sink's opening.
    static func writer(
        recovery: @escaping @Sendable () -> SinkRecovery? = { nil },
        _ makeWriter: @escaping @Sendable () throws(SinkError) -> sending any FrameWriter
    ) -> SinkOpening {
        SinkOpening {
            () throws(SinkError) in
            try makeWriter().request
        } open: { (context) throws(SinkError) in
            try SinkRunner(
                try makeWriter(), info: context.info, rate: context.rate, capacity: context.capacity,
                policy: context.policy, recovery: recovery(),
                // No sync at intervals where no frame may be dropped: the disk sets the pace anyway.
                syncInterval: context.policy == .block ? nil : SinkRunner.syncInterval, clock: context.clock,
                onEvent: context.onEvent, onError: context.onError)
        }
    }

    /// Creates the opening of a sink whose frames an app iterates over.
    static func stream(
        _ stream: FrameStream, name: String, _ request: SinkRequest, isListed: Bool = true
    ) -> SinkOpening {
        SinkOpening(request: { () throws(SinkError) in request }, isListed: isListed) { _ throws(SinkError) in
            StreamReceiver(name, stream)
        } end: {
            stream.finish()
        }
    }
}

/// Passes frames to a stream, and counts them.
private final class StreamReceiver: FrameReceiver {
    private let name: String
    private let stream: FrameStream
    private let taken = Monitor(0)

    init(_ name: String, _ stream: FrameStream) {
        self.name = name
        self.stream = stream
    }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        if stream.offer(frame) { taken.update { $0 += 1 } }
        return true
    }

    var statistics: OutputStatistics {
        var statistics = OutputStatistics(name: name)
        statistics.drops = stream.drops
        statistics.written = taken.read { $0 } - statistics.drops.total
        return statistics
    }

    func finish(by deadline: Timestamp) async -> Bool {
        stream.finish()
        return true
    }
}
