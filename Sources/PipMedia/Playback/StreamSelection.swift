#if Media
internal import CGStreamer
internal import PipCodecs
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// Chooses one stream of video or of sound of those that a demuxer finds, so that no other one is decoded.
///
/// Its functions are called on the engine's threads; whoever makes it keeps it until the pipeline has stopped.
final class StreamSelection: Sendable {
    /// The most streams that a file or a transmission may have.
    static let mostStreams = 64

    private struct State {
        var count = 0
        /// Questions that the engine has asked, some for each stream.
        var questions = 0
        var isFound = false
        /// The stream of each medium that is decoded, by the demuxer's name for it.
        var chosen: [StreamMedium: String] = [:]
        var problem: MediaError?
        /// The name of the video's codec where a second stream within it has alpha; nil for other videos.
        var alphaCodec: String?
        var lastAdded = Timestamp.zero
        /// When its data ended; nil while it goes on.
        var ended: Timestamp?
    }

    private let pipeline: Pipeline
    private let target: String
    private let medium: StreamMedium
    private let sound: String?
    private let options: StreamOptions
    private let clock = MonotonicClock()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - pipeline: Stopped when there is a problem, by whoever asks for it.
    ///   - demuxer: The name of a `parsebin` or `uridecodebin` in it.
    ///   - target: The name of the element that takes the stream.
    ///   - medium: What is decoded.
    ///   - sound: The name of the element that takes the sound beside a video; nil where it is not decoded.
    ///   - options: Of the connection; files have none.
    init(
        _ pipeline: Pipeline, demuxer: String, target: String, medium: StreamMedium = .video, sound: String? = nil,
        options: StreamOptions = StreamOptions()
    ) {
        (self.medium, self.sound) = (medium, sound)
        self.pipeline = pipeline
        self.target = target
        self.options = options
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let continues: Continues = unsafe isWanted
        let added: Added = unsafe padAdded
        let complete: Completes = unsafe allPadsAdded
        let source: Prepares = unsafe sourceMade
        unsafe pipeline.withElement(demuxer) { element in
            func connect(_ signal: String, _ function: GCallback) {
                unsafe _ = g_signal_connect_data(element, signal, function, context, nil, GConnectFlags(rawValue: 0))
            }
            unsafe connect("autoplug-continue", unsafeBitCast(continues, to: GCallback.self))
            unsafe connect("pad-added", unsafeBitCast(added, to: GCallback.self))
            unsafe connect("no-more-pads", unsafeBitCast(complete, to: GCallback.self))
            if demuxer == "uri" { unsafe connect("source-setup", unsafeBitCast(source, to: GCallback.self)) }
        }
    }

    /// The reason why nothing of it is shown; nil while all is well.
    var problem: MediaError? { state.withLock { $0.problem } }

    /// The reason why nothing comes of it, after a failure or a wait: streams were found, but none of them a video.
    ///
    /// - Parameter hasFailed: Whether the engine has given up; else it may still be looking.
    /// - Returns: Nil where there is a video, or nothing was found yet.
    private func lack(afterFailure hasFailed: Bool) -> MediaError? {
        state.withLock { state in
            guard state.count > 0, !state.isFound,
                hasFailed || state.lastAdded.duration(to: clock.now) > Self.settlingTime
            else { return nil }
            return MediaError(kind: .failed, reason: "it has no \(medium.name)")
        }
    }

    /// The sentence about a video whose alpha nothing decodes; nil for all others.
    var alphaNote: String? {
        guard let codec = state.withLock({ $0.alphaCodec }) else { return nil }
        let element = codec.hasSuffix("vp8") ? "vp8alphadecodebin" : "vp9alphadecodebin"
        return GStreamer.has(element)
            ? nil : "it is shown without its transparency: \(GStreamer.missing([element]).reason)"
    }

    /// Notes that the video's data comes again, from another place.
    func restart() { state.withLock { $0.ended = nil } }

    /// True when the video's data has ended for a while: a decoder that has given nothing since will give nothing.
    private var isExhausted: Bool {
        state.withLock { state in state.ended.map { $0.duration(to: clock.now) > Self.decodingTime } ?? false }
    }

    /// How long after the end of its data a decoder may give pictures.
    private static let decodingTime = Duration.seconds(2)

    /// How long after a stream another one may be found: all are told at once.
    private static let settlingTime = Duration.seconds(1)

    /// What came of a wait for a picture, with the reason that is known here.
    func explained(_ outcome: PictureOutlet.Outcome) -> PictureOutlet.Outcome {
        switch outcome {
        case .picture: problem.map { .failed($0) } ?? outcome
        case .failed, .ended: reason(hasEnded: true).map { .failed($0) } ?? outcome
        case .nothing: reason(hasEnded: false).map { .failed($0) } ?? outcome
        }
    }

    /// The reason why nothing came, where it is known here.
    ///
    /// - Parameter hasEnded: Whether the engine has given up, or has come to the end.
    /// - Returns: Nil where something may still come, or the reason is another one.
    func reason(hasEnded: Bool) -> MediaError? {
        if let problem { return problem }
        if !hasEnded, isExhausted {
            return MediaError(kind: .failed, reason: "its \(medium.name) cannot be decoded")
        }
        return lack(afterFailure: hasEnded)
    }

    private func refuse(_ reason: String) {
        state.withLock { $0.problem = $0.problem ?? MediaError(kind: .failed, reason: reason) }
    }

    // MARK: The engine's threads

    /// True for a stream that is to be looked into further.
    fileprivate func goesOn(_ pad: UnsafeMutablePointer<GstPad>, _ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
        let questions = state.withLock { state in
            state.questions += 1
            return state.questions
        }
        // Before an element was made for each of them.
        if questions > 6 * Self.mostStreams { refuse("it has more than \(Self.mostStreams) streams") }
        guard problem == nil, let structure = unsafe gst_caps_get_structure(caps, 0),
            let name = unsafe gst_structure_get_name(structure).map({ unsafe String(cString: $0) })
        else { return false }
        if name == "application/x-rtp" {
            let media = unsafe gst_structure_get_string(structure, "media").map { unsafe String(cString: $0) }
            return media == nil || media == medium.rawValue || (sound != nil && media == StreamMedium.sound.rawValue)
        }
        if sound != nil, unsafe StreamMedium.sound.isDecoded(caps) { return unsafe chooses(pad, .sound) }
        guard unsafe !medium.leavesOut(name, caps) || (sound != nil && StreamMedium.sound.takes(name)) else {
            return false
        }
        var (width, height): (gint, gint) = (0, 0)
        if unsafe gst_structure_get_int(structure, "width", &width) != 0,
            unsafe gst_structure_get_int(structure, "height", &height) != 0,
            let reason = Self.mistake(width: Int(width), height: Int(height))
        {
            refuse(reason)
            return false
        }
        return unsafe medium.isDecoded(caps) ? chooses(pad, medium) : true
    }

    /// True for the first stream of a medium.
    private func chooses(_ pad: UnsafeMutablePointer<GstPad>, _ medium: StreamMedium) -> Bool {
        let stream = unsafe gst_pad_get_stream_id(pad)
        defer { unsafe g_free(stream) }
        let id = unsafe stream.map { unsafe String(cString: $0) } ?? ""
        return state.withLock { state in
            let chosen = state.chosen[medium] ?? id
            state.chosen[medium] = chosen
            return chosen == id
        }
    }

    /// Takes the first stream of the medium that comes.
    fileprivate func added(_ pad: UnsafeMutablePointer<GstPad>) {
        let count = state.withLock { state in
            state.count += 1
            state.lastAdded = clock.now
            return state.count
        }
        guard count <= Self.mostStreams else {
            return refuse("it has more than \(Self.mostStreams) streams")
        }
        guard let caps = unsafe gst_pad_get_current_caps(pad) ?? gst_pad_query_caps(pad, nil) else { return }
        defer { unsafe gst_caps_unref(caps) }
        guard let structure = unsafe gst_caps_get_structure(caps, 0),
            let name = unsafe gst_structure_get_name(structure).map({ unsafe String(cString: $0) }),
            medium.takes(name) || (sound != nil && StreamMedium.sound.takes(name))
        else { return }
        let isBeside = !medium.takes(name)
        unsafe pipeline.withElement(isBeside ? sound ?? target : target) { element in
            guard let sink = unsafe gst_element_get_static_pad(element, "sink") else { return }
            defer { unsafe gst_object_unref(sink) }
            guard unsafe gst_pad_is_linked(sink) == 0 else { return }
            if isBeside {
                _ = unsafe gst_pad_link(pad, sink)
                return
            }
            var hasAlpha: gboolean = 0
            unsafe gst_structure_get_boolean(structure, "codec-alpha", &hasAlpha)
            state.withLock { state in
                state.isFound = true
                if hasAlpha != 0 { state.alphaCodec = name }
            }
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            _ = unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, eventPassed, context, nil)
            _ = unsafe gst_pad_link(pad, sink)
        }
    }

    fileprivate func noteEvent(_ type: GstEventType) {
        switch type {
        case GST_EVENT_EOS: state.withLock { $0.ended = clock.now }
        case GST_EVENT_SEGMENT: state.withLock { $0.ended = nil }
        default: break
        }
    }

    fileprivate func complete() {
        if !state.withLock({ $0.isFound }) { refuse("it has no \(medium.name)") }
    }

    fileprivate func prepare(_ source: UnsafeMutablePointer<GstElement>) {
        let object = unsafe gObject(source)
        let type = unsafe g_type_name_from_instance(
            UnsafeMutableRawPointer(source).assumingMemoryBound(to: GTypeInstance.self))
        let kind = unsafe type.map { unsafe String(cString: $0) } ?? ""
        for (property, value) in options.properties(of: kind) {
            unsafe gst_util_set_object_arg(object, property, value)
        }
    }

    /// What is wrong with a size that a stream claims; nil when all is well.
    static func mistake(width: Int, height: Int) -> String? {
        do throws(CodecError) {
            _ = try PictureLimits.check(width: width, height: height, subject: "")
            return nil
        } catch { return error.detail }
    }
}

private typealias Continues =
    @convention(c) (
        gpointer?, UnsafeMutablePointer<GstPad>?, UnsafeMutablePointer<GstCaps>?, gpointer?
    ) -> gboolean
private typealias Added = @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void
private typealias Completes = @convention(c) (gpointer?, gpointer?) -> Void
private typealias Prepares = @convention(c) (gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void

// Functions of the file: called on the engine's threads, they belong to no actor.

private func selection(_ context: gpointer?) -> StreamSelection? {
    unsafe context.map { unsafe Unmanaged<StreamSelection>.fromOpaque($0).takeUnretainedValue() }
}

private func isWanted(
    _ element: gpointer?, _ pad: UnsafeMutablePointer<GstPad>?, _ caps: UnsafeMutablePointer<GstCaps>?,
    _ context: gpointer?
) -> gboolean {
    guard let pad = unsafe pad, let caps = unsafe caps else { return 1 }
    return unsafe selection(context)?.goesOn(pad, caps) == false ? 0 : 1
}

private func padAdded(_ element: gpointer?, _ pad: UnsafeMutablePointer<GstPad>?, _ context: gpointer?) {
    if let pad = unsafe pad { unsafe selection(context)?.added(pad) }
}

private func eventPassed(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ context: gpointer?
) -> GstPadProbeReturn {
    if let event = unsafe gst_pad_probe_info_get_event(info) {
        unsafe selection(context)?.noteEvent(event.pointee.type)
    }
    return GST_PAD_PROBE_OK
}

private func allPadsAdded(_ element: gpointer?, _ context: gpointer?) { unsafe selection(context)?.complete() }

private func sourceMade(_ element: gpointer?, _ source: UnsafeMutablePointer<GstElement>?, _ context: gpointer?) {
    if let source = unsafe source { unsafe selection(context)?.prepare(source) }
}
#endif
