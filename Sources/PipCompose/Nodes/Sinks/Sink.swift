/// A destination for frames: `picture --> Y4MFile("out.y4m")`.
///
/// The library's sinks are values: the kind and the options of an output. For a destination of an app's own there is
/// ``CustomSink``. Connecting a sink gives an ``Output``, which is stopped, paused and asked while the session runs.
public protocol Sink: SinkSpecification {
    /// The functions that open it.
    var opening: SinkOpening { get }
    /// The size of its frames; nil takes the picture's.
    var frameSize: PixelSize? { get }
    /// The most frames a second that it takes; nil takes all.
    var frameRate: FrameRate? { get }
}

extension Sink {
    /// Nil: frames of the picture's size.
    public var frameSize: PixelSize? { nil }
    /// Nil: every frame.
    public var frameRate: FrameRate? { nil }

    /// The same sink for frames of another size: the picture is scaled on the way, once for all sinks of one size and
    /// format.
    public func scaled(to size: PixelSize) -> some Sink {
        AdjustedSink(base: self, frameSize: size, frameRate: frameRate)
    }

    /// The same sink with a limited frame rate.
    ///
    /// Its frames are spread evenly; a file states that rate.
    public func limited(to rate: FrameRate) -> some Sink {
        AdjustedSink(base: self, frameSize: frameSize, frameRate: rate)
    }
}

/// A sink for frames of another size or rate.
private struct AdjustedSink: Sink {
    let base: any Sink
    let frameSize: PixelSize?
    let frameRate: FrameRate?

    var label: String { base.label }
    var destination: SinkDestination? { base.destination }
    var opening: SinkOpening { base.opening }
}

/// The functions that open a sink.
///
/// Only the library's sinks make one, so that every connected sink can be opened.
public struct SinkOpening: Sendable {
    /// The frames that the sink takes.
    ///
    /// - Throws: ``SinkError`` when its name or its options make no sense.
    let request: @Sendable () throws(SinkError) -> SinkRequest
    /// Creates the destination.
    let open: @Sendable (SinkContext) throws(SinkError) -> any FrameReceiver
    /// Ends streams that an app waits on, opened or not: nothing comes any more.
    private let onEnd: @Sendable () -> Void
    /// The files beside the picture that it takes; nil for none.
    let inputs: (any SinkInputs)?
    /// Finds out by trying which encoder takes frames of a kind at a rate; nil where nothing is encoded.
    let encoder: (@Sendable (FrameInfo, FrameRate) -> OutputEncoder)?
    /// The number of frames that the destination holds while it works on them, besides its queue.
    let heldFrames: Int
    /// True when its counts are listed in the session's statistics.
    let isListed: Bool
    /// True for a sink that takes a camera's own frames, and nothing that is drawn.
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

    /// Ends streams that an app waits on, and closes the files that were opened and not used.
    func end() {
        onEnd()
        inputs?.close()
    }
}

/// The files that a sink takes beside its picture, such as sound: they are opened with the session's sources.
package protocol SinkInputs: Sendable {
    /// Opens those that are not open yet; a pipe blocks until its writer comes or the interruption is raised.
    ///
    /// - Throws: ``SourceError`` for the first that cannot be opened.
    func open(until interruption: Interruption) throws(SourceError)

    /// Closes those that nothing has been read of.
    func close()
}

/// The circumstances under which a sink is opened.
package struct SinkContext {
    package var info: FrameInfo
    /// The node whose picture it is.
    package var picture: NodeID
    /// The camera, where the picture is a camera's own.
    package var camera: CameraFeed?
    /// The names of the cameras in the picture.
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

/// Takes frames on the render thread.
package protocol FrameReceiver: Sendable {
    /// Tells of a frame that this and other receivers are about to be given.
    func expect(_ frame: Frame)
    /// Takes a frame, or drops and counts it; one that may not be dropped waits until a deadline for room.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - repeats: Moments before it that were left out: a file of a fixed rate shows it for them, too.
    ///   - deadline: The end of the wait for room.
    /// - Returns: False when there was no room until then.
    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool
    var statistics: OutputStatistics { get }
    /// Ends it after the frames that it was given.
    ///
    /// - Returns: True when it has ended by the deadline; else it is left to itself.
    func finish(by deadline: Timestamp) async -> Bool
    /// Goes on in a new file.
    ///
    /// - Returns: False when it has no files that end one after the other.
    func split() -> Bool
    /// Leaves frames out, or takes them again; told to receivers that take a camera's own frames.
    func setPaused(_ isPaused: Bool)
}

extension FrameReceiver {
    package func expect(_ frame: Frame) {}

    package func split() -> Bool { false }

    package func setPaused(_ isPaused: Bool) {}
}

extension SinkRunner: FrameReceiver {
    package func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        submit(frame, repeats: repeats, until: .some(deadline))
    }
}

extension SinkDestination {
    /// A file, a pattern of files, a pipe or a device; nil for the device that takes everything.
    package static func file(_ path: String) -> SinkDestination? { path == "/dev/null" ? nil : .path(path) }
}

extension SinkOpening {
    /// A sink that is written frame by frame, on a thread of its own behind a bounded queue.
    ///
    /// - Parameters:
    ///   - recovery: The behaviour when its disk is full or fails; nil lets it end.
    ///   - makeWriter: Makes the writer; opened later.
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
                // Where nothing is left out, the disk sets the pace anyway.
                syncInterval: context.policy == .block ? nil : SinkRunner.syncInterval, clock: context.clock,
                onEvent: context.onEvent, onError: context.onError)
        }
    }

    /// A stream that an app iterates over.
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

/// Counts the frames that go into a stream.
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
