#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources

/// What a live source shows: a stream of a network, a camera of libcamera's or of the portal's, or elements of an
/// expert's own.
enum StreamTarget: Sendable, Equatable {
    case address(SourceAddress, StreamOptions)
    /// Elements as `gst-launch-1.0` takes them, whose last one gives pictures or encoded video.
    case elements(SourceElements)
    case libcamera(LibcameraTarget)
    case portal(PortalTarget)

    /// Its name in messages, without passwords.
    var label: String {
        switch self {
        case .address(let address, _): address.shown
        case .elements(let elements): "gst:\(elements.shown)"
        case .libcamera(let camera): "camera:libcamera:\(camera.name)"
        case .portal(let camera): camera.name.map { "camera:portal:\($0)" } ?? "camera:portal"
        }
    }

    /// True for a camera, whose frames have the times at which they were taken.
    var isCamera: Bool {
        switch self {
        case .libcamera, .portal: true
        case .address, .elements: false
        }
    }

    /// True when its user is yet to be asked whether it may be used, which takes as long as a user does.
    var needsAnswer: Bool { if case .portal(let camera) = self { camera.needsAnswer } else { false } }

    /// How its frames are shown in time.
    var pace: SourceAddress.Pace {
        switch self {
        case .address(let address, _): address.pace
        case .elements: .byTheirTimes
        case .libcamera, .portal: .asTheyCome
        }
    }

    /// How long nothing may come before the connection is made again.
    ///
    /// Pieces of HLS come every few seconds.
    var patience: Duration { isCamera ? .seconds(2) : pace == .asTheyCome ? .seconds(5) : .seconds(15) }

    /// True when the end of the stream is its end, and nothing to be mended.
    var mayEnd: Bool { if case .elements = self { true } else { false } }

    /// A text of the engine's as it may be shown.
    func masked(_ message: String) -> String {
        switch self {
        case .address(let address, _): address.masked(message)
        case .elements(let elements): elements.masked(message)
        case .libcamera, .portal: message
        }
    }

    /// The reason why no picture has come: what keeps its server from being reached, and else what the engine says.
    ///
    /// Asks the server, for at most 3 seconds.
    func reason(of error: MediaError, _ interruption: Interruption) -> String {
        guard case .address(let address, _) = self, let server = address.server,
            error.kind == .network || error.kind == .failed, !interruption.isRaised,
            // Behind a proxy, nobody connects to the server itself.
            unsafe !address.scheme.hasPrefix("http") || getenv("\(address.scheme)_proxy") == nil
        else { return error.reason }
        return ServerCheck(host: server.host, port: server.port).problem(interruption) ?? error.reason
    }

    /// An error of it.
    func error(_ operation: String, _ kind: SourceError.Kind, _ reason: String) -> SourceError {
        SourceError(label, operation, kind, masked(reason))
    }
}

/// A connection: the pipeline that receives and decodes a live source until it breaks.
///
/// Belongs to one thread at a time.
final class Reception {
    private let pipeline: Pipeline
    private let selection: StreamSelection?
    private let outlet: PictureOutlet
    /// Nil where its sound is not wanted.
    private let heard: SoundOutlet?
    /// The moment of running time 0 of a camera, whose running time is real; nil of what has times of its own.
    private let base: Timestamp?
    /// The connection of a camera of the portal's, which is let go of after `deinit` has stopped the pipeline.
    private let remote: PipeWireRemote?
    /// Whether its elements cannot bear to be freed when the camera is gone.
    private let leaks: Bool
    private var lastPicture: Timestamp?
    /// True once it was broken off.
    private var isLeft = false

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - target: What is received.
    ///   - hasSound: Whether its sound is decoded, too.
    ///   - interruption: Ends the wait for a user who is asked.
    ///   - journal: Told what is mended of its times.
    /// - Throws: ``MediaError`` when an element is missing, a description is none, or a user refuses.
    init(
        _ target: StreamTarget, hasSound: Bool = false, _ interruption: Interruption = Interruption(),
        _ journal: RepairJournal? = nil
    ) throws(MediaError) {
        if case .libcamera = target { leaks = true } else { leaks = false }
        var remote: PipeWireRemote?
        switch target {
        case .address(let address, let options):
            pipeline = try Pipeline(
                "uridecodebin name=uri  \(PictureOutlet.elements) \(hasSound ? SoundOutlet.elements : "")")
            pipeline.set("uri", of: "uri", to: address.text)
            PacketTimes.mend(pipeline, isFile: false, journal)
            // Adaptive streams: the best that is known to come through, always the same.
            pipeline.set("connection-speed", of: "uri", to: "20000")
            selection = StreamSelection(
                pipeline, demuxer: "uri", target: "convert", sound: hasSound ? "sound" : nil, options: options)
        case .elements(let elements):
            pipeline = try Pipeline("\(elements.text) ! decodebin name=decode ! \(PictureOutlet.elements)")
            selection = nil
        case .libcamera(let camera):
            guard LibcameraCamera.isInstalled else { throw GStreamer.missing([LibcameraCamera.element]) }
            pipeline = try Pipeline("\(LibcameraTarget.elements) ! decodebin name=decode ! \(PictureOutlet.elements)")
            try camera.adjust(pipeline)
            camera.tell(pipeline, try LibcameraCamera.find(camera.name, among: LibcameraCamera.all()))
            selection = nil
        case .portal(let camera):
            let (connection, found) = try camera.open(interruption)
            pipeline = try Pipeline("\(PortalTarget.elements) ! decodebin name=decode ! \(PictureOutlet.elements)")
            camera.tell(pipeline, found, connection)
            remote = connection
            selection = nil
        }
        self.remote = remote
        heard = hasSound && selection != nil ? SoundOutlet(pipeline, drops: target.pace == .asTheyCome) : nil
        // Pictures wait for their sound.
        let comesByItself = target.pace == .asTheyCome && heard == nil
        outlet = PictureOutlet(pipeline, capacity: comesByItself ? 1 : 4, drops: comesByItself)
        base = target.isCamera ? MonotonicClock().now : nil
        try pipeline.play(base: base)
    }

    deinit { stop() }

    /// The moment at which a picture was taken; nil where that is not known.
    func moment(of picture: DecodedPicture, now: Timestamp) -> Timestamp? {
        guard let moment = picture.runningTime.flatMap({ base?.advanced(by: $0) }), moment <= now,
            moment.duration(to: now) < Self.oldest
        else { return nil }
        return moment
    }

    /// A picture that claims to be older has a time of another clock.
    private static let oldest = Duration.seconds(1)

    /// Waits for the next picture.
    func next(within patience: Duration) -> PictureOutlet.Outcome {
        let outcome = outlet.next(within: patience)
        if case .picture = outcome { lastPicture = MonotonicClock().now }
        return selection?.explained(outcome) ?? outcome
    }

    /// True when its sound is decoded, too.
    var hasSound: Bool { heard != nil }

    /// Sound that has come, and its time since the connection's beginning; nil for none.
    func nextSound() -> (block: AudioBlock, runningTime: Duration)? { heard?.next() }

    /// How the pictures are to be turned.
    var orientation: Orientation { outlet.orientation }

    /// Breaks it off; may block for a moment while servers are told.
    func stop() {
        // libcamera 0.0.3 ends the process when it frees the buffers of a camera that is gone.
        let isSure = lastPicture.map { $0.duration(to: MonotonicClock().now) < Self.presence } ?? false
        if leaks, !isSure, !isLeft { pipeline.leak() }
        isLeft = true
        pipeline.stop()
    }

    /// A camera that has given a picture so short a time ago is there.
    private static let presence = Duration.milliseconds(500)
}
#endif
