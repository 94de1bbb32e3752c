#if Media
internal import CGStreamer
internal import PipFrames
internal import Synchronization

/// Repairs the timestamps of packets from a pipeline's demuxers, before the packets are decoded.
///
/// The repair looks at all tracks, also at those that are not decoded. Two pipelines that read one file, one for
/// pictures and one for sound, therefore repair its timestamps alike.
enum PacketTimes {
    /// Repairs the timestamps from the demuxers that the pipeline will create.
    ///
    /// - Parameters:
    ///   - pipeline: A pipeline that does not run yet.
    ///   - isFile: True for a file, whose gaps are closed if its container allows jumps in time. In a live stream, a
    ///     gap is a pause.
    ///   - demuxer: The name of the pipeline's demuxer, if the pipeline contains it already.
    ///   - journal: Records the repairs. Nil discards them.
    static func mend(
        _ pipeline: Pipeline, isFile: Bool, demuxer: String? = nil, _ journal: RepairJournal? = nil
    ) {
        let mender = Mender(isFile: isFile, journal)
        if let demuxer { unsafe pipeline.withElement(demuxer) { unsafe mender.watch($0) } }
        unsafe AddedElement.follow(pipeline) { unsafe mender.watch($0) }
    }
}

/// Records the repairs of a source's timestamps, as sentences for the source's statistics.
///
/// Thread: any.
final class RepairJournal: Sendable {
    private struct State {
        var sentences: [String] = []
        var jumps = 0
    }

    private static let mostSentences = 16
    private let state = Mutex(State())

    /// The sentences about the repairs, at most 16 and none twice, in the order of discovery.
    var sentences: [String] { state.withLock { $0.sentences } }

    /// The number of repairs that move all later timestamps away from those in the file.
    var jumps: Int { state.withLock { $0.jumps } }

    /// Records a repair.
    func note(_ repair: TimeRepair.Repair) {
        let sentence = repair.sentence
        state.withLock { state in
            if repair.fault != .disorder { state.jumps += 1 }
            guard state.sentences.count < Self.mostSentences, !state.sentences.contains(sentence) else { return }
            state.sentences.append(sentence)
        }
    }
}

extension TimeRepair.Repair {
    /// A sentence that states the fault and its repair.
    var sentence: String {
        let seconds = (place.inSeconds * 100).rounded() / 100
        return switch fault {
        case .wrap:
            "at \(seconds) s its timestamp counter wrapped around; later timestamps were moved behind the earlier ones"
        case .restart: "at \(seconds) s its timestamps started again; they were moved behind the earlier ones"
        case .gap:
            "at \(seconds) s its timestamps jumped ahead by \(Int(jump.inSeconds.rounded())) s; the gap was left out"
        case .disorder: "from \(seconds) s on, its decoding times were out of order, and were raised"
        }
    }
}

/// The state that a pipeline's demuxers share.
private final class Mender: Sendable {
    /// A track: one output of a demuxer.
    final class Track: Sendable {
        let demuxer: Demuxer
        let number: Int
        /// The beginning of the pad's name, such as `video`.
        let kind: String

        init(of demuxer: Demuxer, _ number: Int, _ kind: String) {
            (self.demuxer, self.number, self.kind) = (demuxer, number, kind)
        }
    }

    /// The repair of one demuxer's timestamps, which its tracks share.
    final class Demuxer: Sendable {
        struct State {
            var repair: TimeRepair
            var tracks = 0
            /// The segment events of the tracks that have begun, keyed by track; a segment sets the origin of times.
            var segments: [Int: KeptEvent] = [:]
            /// The tracks of the program that has ended, which tracks of the next program continue.
            var ended: [(number: Int, kind: String)] = []
            /// True once a track continues one of the ended tracks.
            var isSucceeded = false
        }

        let journal: RepairJournal?
        let state: Mutex<State>

        init(leavesOutGaps: Bool, _ journal: RepairJournal?) {
            self.journal = journal
            state = Mutex(State(repair: TimeRepair(leavesOutGaps: leavesOutGaps)))
        }
    }

    /// A GStreamer event that is kept until a track may receive the event.
    @safe final class KeptEvent: @unchecked Sendable {
        // `event` never changes, so that any thread may read it.
        let event: UnsafeMutablePointer<GstEvent>

        init(_ event: UnsafeMutablePointer<GstEvent>) {
            unsafe self.event = event
            unsafe gst_event_ref(event)
        }

        deinit { unsafe gst_event_unref(event) }
    }

    /// The suffixes of the type names of demuxers whose containers allow jumps in time.
    private static let formatsWithGaps: Set = ["tsdemux", "psdemux"]
    let isFile: Bool
    let journal: RepairJournal?

    init(isFile: Bool, _ journal: RepairJournal?) {
        self.isFile = isFile
        self.journal = journal
    }

    /// Repairs the timestamps at an element's outputs, if the element is a demuxer.
    func watch(_ element: UnsafeMutablePointer<GstElement>) {
        guard let factory = unsafe gst_element_get_factory(element),
            unsafe gst_element_factory_list_is_type(factory, PIP_FACTORIES_OF_DEMUXERS) != 0
        else { return }
        let name = unsafe g_type_name_from_instance(
            UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self))
        let kind = unsafe name.map { unsafe String(cString: $0) }?.lowercased() ?? ""
        let hasGaps = Self.formatsWithGaps.contains { kind.hasSuffix($0) }
        let demuxer = Demuxer(leavesOutGaps: isFile && hasGaps, journal)
        let context = unsafe Unmanaged.passRetained(demuxer).toOpaque()
        let added: PadAdded = unsafe padAdded
        unsafe _ = g_signal_connect_data(
            element, "pad-added", unsafeBitCast(added, to: GCallback.self), context, releaseDemuxer,
            GConnectFlags(rawValue: 0))
    }
}

private typealias PadAdded = @convention(c) (gpointer?, UnsafeMutablePointer<GstPad>?, gpointer?) -> Void

// Global functions, because GStreamer's threads call them, and they may belong to no actor.

private func padAdded(_ element: gpointer?, _ pad: UnsafeMutablePointer<GstPad>?, _ context: gpointer?) {
    guard let context = unsafe context, let pad = unsafe pad else { return }
    let demuxer = unsafe Unmanaged<Mender.Demuxer>.fromOpaque(context).takeUnretainedValue()
    let number = demuxer.state.withLock { state in
        state.tracks += 1
        return state.tracks
    }
    let name = unsafe pad.pointee.object.name.map { unsafe String(cString: $0) } ?? ""
    let kind = String(name.prefix { $0 != "_" })
    let track = Mender.Track(of: demuxer, number, kind)
    let types =
        GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
        | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
    unsafe PadProbe.add(to: pad, GstPadProbeType(rawValue: types)) { _, info in
        unsafe track.pass(info)
        return GST_PAD_PROBE_OK
    }
}

private func releaseDemuxer(_ context: gpointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
    if let context = unsafe context { unsafe Unmanaged<Mender.Demuxer>.fromOpaque(context).release() }
}

extension Mender.Track {
    /// Repairs a passing packet, or follows a passing event.
    fileprivate func pass(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        // GStreamer logs a warning when a probe asks for data of another type than has passed.
        if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
            if let buffer = unsafe gst_pad_probe_info_get_buffer(info) { unsafe mend(buffer, in: info) }
        } else if let event = unsafe gst_pad_probe_info_get_event(info) {
            switch unsafe event.pointee.type {
            case GST_EVENT_FLUSH_STOP: search()
            case GST_EVENT_SEGMENT: unsafe begin(event, in: info)
            case GST_EVENT_EOS: end()
            default: break
            }
        }
    }

    /// Replaces a passing packet's timestamps by the repaired ones.
    private func mend(
        _ buffer: UnsafeMutablePointer<GstBuffer>, in info: UnsafeMutablePointer<GstPadProbeInfo>
    ) {
        let times = unsafe TimeRepair.Times(
            decoding: Duration(engine: buffer.pointee.dts), presentation: Duration(engine: buffer.pointee.pts))
        let (mended, repair) = demuxer.state.withLock { $0.repair.repair(times, of: number) }
        if let repair { demuxer.journal?.note(repair) }
        guard mended != times else { return }
        let object = unsafe UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
        guard let own = unsafe gst_mini_object_make_writable(object) else { return }
        let changed = unsafe UnsafeMutableRawPointer(own).assumingMemoryBound(to: GstBuffer.self)
        if let time = mended.decoding { unsafe changed.pointee.dts = GstClockTime(time.nanoseconds) }
        if let time = mended.presentation { unsafe changed.pointee.pts = GstClockTime(time.nanoseconds) }
        unsafe info.pointee.data = UnsafeMutableRawPointer(changed)
    }

    private func search() {
        demuxer.state.withLock { state in
            state.repair.interrupt(number, isSearch: true)
            state.ended.removeAll { $0.number == number }
        }
    }

    /// Notes a segment event of the track.
    ///
    /// A track that continues a track of the program before receives the segment of that track. Decoders would drop
    /// packets whose repaired times lie before the beginning of the new segment.
    private func begin(
        _ event: UnsafeMutablePointer<GstEvent>, in info: UnsafeMutablePointer<GstPadProbeInfo>
    ) {
        demuxer.state.withLock { state in
            guard state.segments[number] == nil, let former = state.former(of: kind) else {
                state.repair.interrupt(number, isSearch: false)
                state.segments[number] = unsafe Mender.KeptEvent(event)
                return
            }
            state.isSucceeded = true
            state.repair.follow(former, by: number)
            guard let kept = state.segments[former] else { return }
            state.segments[number] = kept
            unsafe gst_event_unref(event)
            unsafe info.pointee.data = unsafe UnsafeMutableRawPointer(gst_event_ref(kept.event))
        }
    }

    private func end() { demuxer.state.withLock { $0.end(number, kind) } }
}

extension Mender.Demuxer.State {
    /// The ended track that a new track continues: a track of the same kind, or else any ended track.
    fileprivate func former(of kind: String) -> Int? {
        (ended.first { $0.kind == kind } ?? ended.first)?.number
    }

    /// Notes the end of a track; the first end in a program forgets the tracks of the previous program.
    fileprivate mutating func end(_ number: Int, _ kind: String) {
        if isSucceeded {
            for track in ended {
                repair.forget(track.number)
                segments[track.number] = nil
            }
            (ended, isSucceeded) = ([], false)
        }
        ended.append((number, kind))
    }
}

extension Duration {
    /// Converts a GStreamer time; nil for the constant that means "missing".
    init?(engine time: GstClockTime) {
        guard time != GST_CLOCK_TIME_NONE_VALUE, time <= GstClockTime(Int64.max) else { return nil }
        self = .nanoseconds(Int64(time))
    }
}
#endif
