#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources

/// The origin of a live source: a network stream, a camera of libcamera or of the portal, or an expert's elements.
enum StreamTarget: Sendable, Equatable {
    case address(SourceAddress, StreamOptions)
    /// Elements in the notation of `gst-launch-1.0`, the last of which outputs pictures or encoded video.
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

    /// True for a camera, whose frames carry their exposure times.
    var isCamera: Bool {
        switch self {
        case .libcamera, .portal: true
        case .address, .elements: false
        }
    }

    /// True for a camera of the portal while the user has not answered whether cameras may be used.
    var needsAnswer: Bool { if case .portal(let camera) = self { camera.needsAnswer } else { false } }

    /// The pace at which frames are shown: as they arrive, or by their timestamps.
    var pace: SourceAddress.Pace {
        switch self {
        case .address(let address, _): address.pace
        case .elements: .byTheirTimes
        case .libcamera, .portal: .asTheyCome
        }
    }

    /// The time without a frame after which the receiver connects again; segments of HLS come only every few seconds.
    var timeout: Duration { isCamera ? .seconds(2) : pace == .asTheyCome ? .seconds(5) : .seconds(15) }

    /// True when the end of the stream is final; for other streams the receiver connects again.
    var mayEnd: Bool { if case .elements = self { true } else { false } }

    /// Returns a message of GStreamer with the passwords hidden.
    func masked(_ message: String) -> String {
        switch self {
        case .address(let address, _): address.masked(message)
        case .elements(let elements): elements.masked(message)
        case .libcamera, .portal: message
        }
    }

    /// Returns the reason why no picture has come: a server that cannot be reached, or else GStreamer's reason.
    ///
    /// Blocks for at most 3 seconds, to connect to the server.
    func reason(of error: MediaError, _ interruption: Interruption) -> String {
        guard case .address(let address, _) = self, let server = address.server,
            error.kind == .network || error.kind == .failed, !interruption.isRaised,
            // Behind a proxy, GStreamer does not connect to the server itself.
            unsafe !address.scheme.hasPrefix("http") || getenv("\(address.scheme)_proxy") == nil
        else { return error.reason }
        return ServerCheck(host: server.host, port: server.port).problem(interruption) ?? error.reason
    }

    /// Makes an error of this source, with the passwords hidden.
    func error(_ operation: String, _ kind: SourceError.Kind, _ reason: String) -> SourceError {
        SourceError(label, operation, kind, masked(reason))
    }
}

/// The input of a receiver: a live source, the queue for its sound, and the journal of timestamp repairs.
struct StreamInput: Sendable {
    let target: StreamTarget
    let sound: StreamSoundFeed
    let journal = RepairJournal()
}

/// One connection to a live source: a pipeline that receives and decodes until the connection breaks.
///
/// Thread: one thread at a time.
final class Reception {
    private let pipeline: Pipeline
    private let selection: StreamSelection?
    private let outlet: PictureOutlet
    /// The output of the sound; nil when the sound is not decoded.
    private let soundOutlet: SoundOutlet?
    /// The timestamp of running time 0 for a camera, whose running time is real time; nil for other streams.
    private let base: Timestamp?
    /// The PipeWire connection of a portal's camera.
    ///
    /// The connection must be released after `deinit` has stopped the pipeline.
    private let remote: PipeWireRemote?
    /// True for libcamera, which crashes when it frees the elements of a camera that is gone.
    private let leaks: Bool
    private var lastPicture: Timestamp?
    private var isStopped = false

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - input: The live source. A network stream's sound is decoded if a listener has requested the sound.
    ///   - interruption: Ends the wait for the user's answer, and for a camera of the portal.
    /// - Throws: ``MediaError`` when an element or the camera is missing, when several cameras match or an adjustment
    ///   is impossible, when the user refuses, or when the pipeline cannot be made or started.
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
            // Choose the best variant of an adaptive stream that 20 Mbit/s can transmit, and stay with that variant.
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
        // Pictures with sound wait in the outlet for their sound: the outlet must keep several pictures, and drop none.
        let comesByItself = target.pace == .asTheyCome && soundOutlet == nil
        outlet = PictureOutlet(pipeline, capacity: comesByItself ? 1 : 4, drops: comesByItself)
        base = target.isCamera ? MonotonicClock().now : nil
        try pipeline.play(base: base)
    }

    deinit { stop() }

    /// Returns the time of a picture's exposure; nil when the time is unknown or implausible.
    func moment(of picture: DecodedPicture, now: Timestamp) -> Timestamp? {
        guard let moment = picture.runningTime.flatMap({ base?.advanced(by: $0) }), moment <= now,
            moment.duration(to: now) < Self.oldestExposure
        else { return nil }
        return moment
    }

    /// The oldest plausible exposure; an older time comes from another clock.
    private static let oldestExposure = Duration.seconds(1)

    /// Waits for the next picture, for at most `timeout`.
    func next(within timeout: Duration) -> PictureOutlet.Outcome {
        let outcome = outlet.next(within: timeout)
        if case .picture = outcome { lastPicture = MonotonicClock().now }
        return selection?.explained(outcome) ?? outcome
    }

    /// True when the sound is decoded.
    var hasSound: Bool { soundOutlet != nil }

    /// Returns the next sound that has arrived, with its running time, without waiting; nil when none has.
    func nextSound() -> (block: AudioBlock, runningTime: Duration)? { soundOutlet?.next() }

    /// The orientation in the stream's tags, by which a player must turn the pictures.
    var orientation: Orientation { outlet.orientation }

    /// Stops the connection.
    ///
    /// May block for a moment, to tell the server.
    func stop() {
        // libcamera 0.0.3 crashes the process when it frees the buffers of a camera that is gone.
        let isSure = lastPicture.map { $0.duration(to: MonotonicClock().now) < Self.presenceInterval } ?? false
        if leaks, !isSure, !isStopped { pipeline.leak() }
        isStopped = true
        pipeline.stop()
    }

    /// The time since the last picture during which a camera counts as present.
    private static let presenceInterval = Duration.milliseconds(500)
}
#endif
