#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources

/// The subject of a live source: a network stream, a camera of libcamera's or the portal's, or an expert's elements.
enum StreamTarget: Sendable, Equatable {
    case address(SourceAddress, StreamOptions)
    /// Elements in the notation of `gst-launch-1.0`, the last of which gives pictures or encoded video.
    case elements(SourceElements)
    case libcamera(LibcameraTarget)
    case portal(PortalTarget)

    /// The source's name in messages, without passwords.
    var label: String {
        switch self {
        case .address(let address, _): address.shown
        case .elements(let elements): "gst:\(elements.shown)"
        case .libcamera(let camera): "camera:libcamera:\(camera.name)"
        case .portal(let camera): camera.name.map { "camera:portal:\($0)" } ?? "camera:portal"
        }
    }

    /// True for a camera, whose frames carry the times of their exposure.
    var isCamera: Bool {
        switch self {
        case .libcamera, .portal: true
        case .address, .elements: false
        }
    }

    /// True when the user has still to permit the camera, so that opening it waits for the user.
    var needsAnswer: Bool { if case .portal(let camera) = self { camera.needsAnswer } else { false } }

    /// The pace at which frames are shown.
    var pace: SourceAddress.Pace {
        switch self {
        case .address(let address, _): address.pace
        case .elements: .byTheirTimes
        case .libcamera, .portal: .asTheyCome
        }
    }

    /// The time without data after which the receiver connects again; segments of HLS come every few seconds.
    var timeout: Duration { isCamera ? .seconds(2) : pace == .asTheyCome ? .seconds(5) : .seconds(15) }

    /// True when the end of the stream is final; other streams are connected again.
    var mayEnd: Bool { if case .elements = self { true } else { false } }

    /// A text of the engine's without passwords.
    func masked(_ message: String) -> String {
        switch self {
        case .address(let address, _): address.masked(message)
        case .elements(let elements): elements.masked(message)
        case .libcamera, .portal: message
        }
    }

    /// The reason why no picture has come: the reason why the server cannot be reached, else the engine's.
    ///
    /// Blocks for at most 3 seconds, to ask the server.
    func reason(of error: MediaError, _ interruption: Interruption) -> String {
        guard case .address(let address, _) = self, let server = address.server,
            error.kind == .network || error.kind == .failed, !interruption.isRaised,
            // Behind a proxy, the engine does not connect to the server itself.
            unsafe !address.scheme.hasPrefix("http") || getenv("\(address.scheme)_proxy") == nil
        else { return error.reason }
        return ServerCheck(host: server.host, port: server.port).problem(interruption) ?? error.reason
    }

    /// An error of this source.
    func error(_ operation: String, _ kind: SourceError.Kind, _ reason: String) -> SourceError {
        SourceError(label, operation, kind, masked(reason))
    }
}

/// A live source, with the consumers of its sound and of its times' repairs.
struct StreamInput: Sendable {
    let target: StreamTarget
    let sound: StreamSoundFeed
    let journal = RepairJournal()
}

/// A connection: the pipeline that receives and decodes a live source until the connection breaks.
///
/// Thread: one thread at a time.
final class Reception {
    private let pipeline: Pipeline
    private let selection: StreamSelection?
    private let outlet: PictureOutlet
    /// The sound's output; nil when nobody wants the sound.
    private let soundOutlet: SoundOutlet?
    /// The moment of running time 0 for a camera, whose running time is real; nil for streams with times of their own.
    private let base: Timestamp?
    /// The connection of a portal's camera; it must be released after `deinit` has stopped the pipeline.
    private let remote: PipeWireRemote?
    /// True when freeing the elements of a camera that is gone crashes.
    private let leaks: Bool
    private var lastPicture: Timestamp?
    /// True once the connection was stopped.
    private var isStopped = false

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - input: The live source, whose sound is decoded where a listener has requested it.
    ///   - interruption: Ends the wait for the user's answer.
    /// - Throws: ``MediaError`` when an element is missing, the description is invalid, or the user refuses.
    init(_ input: StreamInput, until interruption: Interruption) throws(MediaError) {
        let (target, hasSound) = (input.target, input.sound.isRequested)
        if case .libcamera = target { leaks = true } else { leaks = false }
        var remote: PipeWireRemote?
        switch target {
        case .address(let address, let options):
            pipeline = try Pipeline(
                "uridecodebin name=uri  \(PictureOutlet.elements) \(hasSound ? SoundOutlet.elements : "")")
            pipeline.set("uri", of: "uri", to: address.text)
            PacketTimes.mend(pipeline, isFile: false, input.journal)
            // Adaptive streams: request the best variant that is known to arrive in time, and keep to it.
            pipeline.set("connection-speed", of: "uri", to: "20000")
            selection = StreamSelection(
                pipeline, demuxer: "uri", target: "convert", sound: hasSound ? "sound" : nil, options: options)
        case .elements(let elements):
            pipeline = try Pipeline("\(elements.text) ! decodebin name=decode ! \(PictureOutlet.elements)")
            selection = nil
        case .libcamera(let camera):
            try GStreamer.require([LibcameraCamera.element])
            pipeline = try Pipeline("\(LibcameraTarget.elements) ! decodebin name=decode ! \(PictureOutlet.elements)")
            try camera.adjust(pipeline)
            camera.configure(pipeline, for: try LibcameraCamera.find(camera.name, among: LibcameraCamera.all()))
            selection = nil
        case .portal(let camera):
            let (connection, found) = try camera.open(interruption)
            pipeline = try Pipeline("\(PortalTarget.elements) ! decodebin name=decode ! \(PictureOutlet.elements)")
            camera.configure(pipeline, for: found, over: connection)
            remote = connection
            selection = nil
        }
        self.remote = remote
        soundOutlet = hasSound && selection != nil ? SoundOutlet(pipeline, drops: target.pace == .asTheyCome) : nil
        // With sound, pictures wait for it in the outlet.
        let comesByItself = target.pace == .asTheyCome && soundOutlet == nil
        outlet = PictureOutlet(pipeline, capacity: comesByItself ? 1 : 4, drops: comesByItself)
        base = target.isCamera ? MonotonicClock().now : nil
        try pipeline.play(base: base)
    }

    deinit { stop() }

    /// The moment of a picture's exposure; nil where it is unknown.
    func moment(of picture: DecodedPicture, now: Timestamp) -> Timestamp? {
        guard let moment = picture.runningTime.flatMap({ base?.advanced(by: $0) }), moment <= now,
            moment.duration(to: now) < Self.oldestExposure
        else { return nil }
        return moment
    }

    /// The oldest plausible exposure; an older time comes from another clock.
    private static let oldestExposure = Duration.seconds(1)

    /// Waits for the next picture.
    func next(within timeout: Duration) -> PictureOutlet.Outcome {
        let outcome = outlet.next(within: timeout)
        if case .picture = outcome { lastPicture = MonotonicClock().now }
        return selection?.explained(outcome) ?? outcome
    }

    /// True when the sound is decoded, too.
    var hasSound: Bool { soundOutlet != nil }

    /// The next sound that has arrived, and its time since the connection's start; nil for none.
    func nextSound() -> (block: AudioBlock, runningTime: Duration)? { soundOutlet?.next() }

    /// The orientation by which the pictures must be turned.
    var orientation: Orientation { outlet.orientation }

    /// Stops the connection; may block for a moment, until the server knows.
    func stop() {
        // libcamera 0.0.3 crashes the process when it frees the buffers of a camera that is gone.
        let isSure = lastPicture.map { $0.duration(to: MonotonicClock().now) < Self.presenceInterval } ?? false
        if leaks, !isSure, !isStopped { pipeline.leak() }
        isStopped = true
        pipeline.stop()
    }

    /// The time since the last picture in which a camera counts as present.
    private static let presenceInterval = Duration.milliseconds(500)
}
#endif
