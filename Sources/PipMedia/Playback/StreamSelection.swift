#if Media
internal import CGStreamer
internal import PipCodecs
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// Selects streams among those that a demuxer finds: one of video or sound, and the sound beside a video if requested.
///
/// The selection is made again when the program of a transport stream changes.
///
/// Thread: GStreamer's threads call the selection. The owner must keep the selection until the pipeline has stopped.
final class StreamSelection: Sendable {
    /// The largest number of streams in a file or a transmission.
    static let mostStreams = 64

    private struct State {
        var count = 0
        /// The number of GStreamer's questions about streams, several for each, since a stream was last removed.
        var questions = 0
        var isFound = false
        /// The identifiers of the selected streams, keyed by medium.
        var chosen: [StreamMedium: String] = [:]
        var problem: MediaError?
        /// The codec of a video whose alpha is a second video within it; nil for other videos.
        var alphaCodec: String?
        var lastAdded = Timestamp.zero
    }

    private let pipeline: Pipeline
    private let demuxer: String
    private let medium: StreamMedium
    /// The slots of the stream, of the sound beside a video, and of a stream of another medium.
    private let (slot, sound, other): (StreamSlot, StreamSlot?, StreamSlot?)
    private let options: StreamOptions
    private let clock = MonotonicClock()
    private let state = Mutex(State())

    /// Connects to a demuxer's signals.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline, which the owner must stop when ``problem`` is set.
    ///   - demuxer: The name of a `parsebin`, `uridecodebin` or `tsdemux` in the pipeline.
    ///   - target: The name of the element that takes the stream.
    ///   - output: The name of the element behind a target that is a `decodebin`; nil for other targets.
    ///   - medium: The medium of the stream to select.
    ///   - sound: The name of the element to which the sound beside a video is linked. Nil to leave that sound out.
    ///   - discards: True where the demuxer is a `tsdemux`: discards another stream of a transport stream, so that the
    ///     demuxer goes on where a program lacks the selected medium.
    ///   - options: The settings of the connection, which do not matter for files.
    init(
        _ pipeline: Pipeline, demuxer: String, target: String, output: String? = nil, medium: StreamMedium = .video,
        sound: String? = nil, discards: Bool = false, options: StreamOptions = StreamOptions()
    ) {
        (self.pipeline, self.demuxer, self.medium) = (pipeline, demuxer, medium)
        let other = discards ? StreamSlot(pipeline, target: nil) : nil
        let slot = StreamSlot(pipeline, target: target, output: output, beside: other)
        (self.slot, self.other) = (slot, other)
        self.sound = sound.map { StreamSlot(pipeline, target: $0, beside: slot) }
        self.options = options
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let continues: Continues = unsafe isWanted
        let added: Added = unsafe padAdded
        let removed: Added = unsafe padRemoved
        let complete: Completes = unsafe allPadsAdded
        let source: Prepares = unsafe sourceMade
        unsafe pipeline.withElement(demuxer) { element in
            func connect(_ signal: String, _ function: GCallback) {
                unsafe _ = g_signal_connect_data(element, signal, function, context, nil, GConnectFlags(rawValue: 0))
            }
            if !discards { unsafe connect("autoplug-continue", unsafeBitCast(continues, to: GCallback.self)) }
            unsafe connect("pad-added", unsafeBitCast(added, to: GCallback.self))
            unsafe connect("pad-removed", unsafeBitCast(removed, to: GCallback.self))
            unsafe connect("no-more-pads", unsafeBitCast(complete, to: GCallback.self))
            if demuxer == "uri" { unsafe connect("source-setup", unsafeBitCast(source, to: GCallback.self)) }
        }
    }

    deinit {
        // Disconnect the signals, because the demuxer removes its last pads only when it is freed.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pipeline.withElement(demuxer) { element in
            _ = unsafe g_signal_handlers_disconnect_matched(element, G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, context)
        }
    }

    /// The reason why the pipeline delivers nothing; nil while no reason is known.
    var problem: MediaError? { state.withLock { $0.problem } }

    /// True when a sound beside the video is linked.
    var hasSound: Bool { sound?.isEmpty == false }

    /// Checks whether the demuxer has found streams, but no stream of the medium.
    ///
    /// - Parameter hasFailed: True when GStreamer has given up; false while it may still find streams.
    /// - Returns: The error. Nil when the medium or no stream was found, and while the medium may still be found.
    private func lack(afterFailure hasFailed: Bool) -> MediaError? {
        state.withLock { state in
            guard state.count > 0, !state.isFound,
                hasFailed || state.lastAdded.duration(to: clock.now) > Self.settlingTime
            else { return nil }
            return MediaError(kind: .failed, reason: "it has no \(medium.name)")
        }
    }

    /// A sentence about the loss of the video's alpha, which no installed element decodes; nil when no alpha is lost.
    var alphaNote: String? {
        guard let codec = state.withLock({ $0.alphaCodec }) else { return nil }
        let element = codec.hasSuffix("vp8") ? "vp8alphadecodebin" : "vp9alphadecodebin"
        return GStreamer.has(element)
            ? nil : "it is shown without its transparency: \(GStreamer.missing([element]).reason)"
    }

    /// Notes a seek of the pipeline, after which the stream's data comes from another position.
    ///
    /// - Returns: False once another program has begun: GStreamer cannot seek back to the streams of the first program.
    func restart() -> Bool {
        slot.restart()
        return !slot.hasChanged
    }

    /// True when the stream's data ended more than ``decodingTime`` ago: a decoder that has returned nothing since will
    /// return nothing.
    private var isExhausted: Bool {
        slot.ended.map { $0.duration(to: clock.now) > Self.decodingTime } ?? false
    }

    /// The time after the end of the data in which a decoder may still return pictures.
    private static let decodingTime = Duration.seconds(2)

    /// The time after a stream within which another stream may be found; demuxers announce all streams at once.
    private static let settlingTime = Duration.seconds(1)

    /// Replaces an outcome by a failure with the selection's own reason, if the selection has a reason.
    func explained(_ outcome: PictureOutlet.Outcome) -> PictureOutlet.Outcome {
        switch outcome {
        case .picture: problem.map { .failed($0) } ?? outcome
        case .failed, .ended: reason(hasEnded: true).map { .failed($0) } ?? outcome
        case .nothing: reason(hasEnded: false).map { .failed($0) } ?? outcome
        }
    }

    /// Returns the reason why no picture or sound came, if the selection knows it.
    ///
    /// - Parameter hasEnded: True when GStreamer has given up, or has reached the end.
    /// - Returns: The error. Nil while data may still come, and when another element is the cause.
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

    /// True when GStreamer must continue to analyse or decode a stream.
    fileprivate func goesOn(_ pad: UnsafeMutablePointer<GstPad>, _ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
        let questions = state.withLock { state in
            state.questions += 1
            return state.questions
        }
        // Refuse before GStreamer creates elements for each stream.
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

    /// True for the first stream of a medium in each program.
    private func chooses(_ pad: UnsafeMutablePointer<GstPad>, _ medium: StreamMedium) -> Bool {
        // A depayloader whose caps are known before its data has no stream yet; the element behind it will have one.
        guard let stream = unsafe gst_pad_get_stream_id(pad) else { return true }
        defer { unsafe g_free(stream) }
        let id = unsafe String(cString: stream)
        let isChosen = (medium == self.medium ? slot : sound)?.isFlowing != true
        return state.withLock { state in
            let chosen = isChosen ? state.chosen[medium] ?? id : id
            state.chosen[medium] = chosen
            return chosen == id
        }
    }

    /// Links a new stream to its element, if the stream is the first of its medium.
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
            let name = unsafe gst_structure_get_name(structure).map({ unsafe String(cString: $0) })
        else { return }
        if !medium.takes(name), StreamMedium.sound.takes(name) { _ = unsafe sound?.take(pad) }
        if !medium.takes(name) { _ = unsafe other?.take(pad) }
        guard medium.takes(name), unsafe slot.take(pad) else { return }
        var hasAlpha: gboolean = 0
        unsafe gst_structure_get_boolean(structure, "codec-alpha", &hasAlpha)
        state.withLock { state in
            state.isFound = true
            if hasAlpha != 0 { state.alphaCodec = name }
        }
    }

    fileprivate func removed(_ pad: UnsafeMutablePointer<GstPad>) {
        state.withLock { ($0.count, $0.questions) = ($0.count - 1, 0) }
        for slot in [slot, sound, other] { unsafe slot?.remove(pad) }
        // A later program's stream has another identifier.
        if slot.isEmpty { state.withLock { $0.chosen[medium] = nil } }
        if sound?.isEmpty == true { state.withLock { $0.chosen[.sound] = nil } }
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

    /// The reason to reject the picture size that a stream states; nil for an acceptable size.
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

// Global functions, because GStreamer's threads call them, and they may belong to no actor.

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

private func padRemoved(_ element: gpointer?, _ pad: UnsafeMutablePointer<GstPad>?, _ context: gpointer?) {
    if let pad = unsafe pad { unsafe selection(context)?.removed(pad) }
}

private func allPadsAdded(_ element: gpointer?, _ context: gpointer?) { unsafe selection(context)?.complete() }

private func sourceMade(_ element: gpointer?, _ source: UnsafeMutablePointer<GstElement>?, _ context: gpointer?) {
    if let source = unsafe source { unsafe selection(context)?.prepare(source) }
}
#endif
