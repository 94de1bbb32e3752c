#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames

/// The element that takes one stream of a demuxer, and after that stream's end the stream that follows it.
///
/// When the program of a transport stream changes, the demuxer adds the pads of the new program, ends and removes the
/// pads of the old program, and lets data through the new pads. The slot then replaces a target that is a decoder,
/// links the new pad, and does not pass on the end of the old pad. A `uridecodebin` removes pads first, without an end.
///
/// A program may lack the slot's stream. The slot then stays open while its companion's stream continues, and takes the
/// stream of a later program.
///
/// Thread: GStreamer's threads call the slot's functions.
final class StreamSlot: Sendable {
    /// Pads are kept as addresses, which are valid until the demuxer announces that it removes the pad.
    private struct State {
        /// The pad that is linked to the target; nil while no pad is linked.
        var current: UInt?
        /// The pads that the demuxer added after the current pad's first data, oldest first.
        var successors: [UInt] = []
        /// True once data has passed the current pad.
        var isFlowing = false
        /// True from the end of the current pad until its successor is linked, or until the companion's stream ends.
        var isBetween = false
        /// True once the end of the current pad has come to the target, which did not receive it.
        var isEndHeld = false
        /// True once a pad was removed, so that another program may have begun.
        var hasChanged = false
        /// The time at which the current pad's data ended; nil while it continues.
        var ended: Timestamp?
        /// Called at the end of the last pad's data; nil when no other slot needs the call.
        var onEnd: (@Sendable () -> Void)?
    }

    private let pipeline: Pipeline
    private let target: String?
    private let output: String?
    private let companion: StreamSlot?
    private let clock = MonotonicClock()
    private let state = Monitor(State())
    /// The longest wait for a decoder to end, whose decoded data must be taken meanwhile.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - pipeline: The pipeline of the demuxer and the target.
    ///   - target: The name of the element that takes the stream; nil to discard the stream.
    ///   - output: The name of the element behind a target that is a `decodebin`; nil for other targets.
    ///   - companion: The slot of another stream of the demuxer; nil for none.
    init(_ pipeline: Pipeline, target: String?, output: String? = nil, beside companion: StreamSlot? = nil) {
        (self.pipeline, self.target, self.output, self.companion) = (pipeline, target, output, companion)
        companion?.state.withLock { $0.onEnd = { [weak self] in self?.finish() } }
        guard let last = output ?? target else { return }
        unsafe pipeline.addProbe(to: "sink", of: last, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] _, info in
            guard let event = unsafe gst_pad_probe_info_get_event(info),
                unsafe event.pointee.type == GST_EVENT_EOS, self?.holdsEnd() == true
            else { return GST_PAD_PROBE_OK }
            return GST_PAD_PROBE_DROP
        }
    }

    /// Lets the end of the current pad pass, and ends the target's stream if that end was held.
    ///
    /// Does nothing while a successor waits.
    private func finish() {
        let isHeld = state.withLock { state in
            guard state.successors.isEmpty else { return false }
            defer { (state.isBetween, state.isEndHeld) = (false, false) }
            return state.isEndHeld
        }
        guard isHeld, let last = output ?? target else { return }
        unsafe pipeline.withElement(last) { element in
            guard let sink = unsafe gst_element_get_static_pad(element, "sink") else { return }
            unsafe gst_pad_send_event(sink, gst_event_new_eos())
            unsafe gst_object_unref(sink)
        }
    }

    /// The time at which the stream's data ended; nil while it continues.
    var ended: Timestamp? { state.withLock { $0.ended } }

    /// True once data has passed the current pad; a stream that the demuxer finds later belongs to another program.
    var isFlowing: Bool { state.withLock { $0.isFlowing } }

    /// True while no pad is linked.
    var isEmpty: Bool { state.withLock { $0.current == nil } }

    /// Notes a seek of the pipeline, after which the stream's data comes from another position.
    func restart() { state.withLock { $0.ended = nil } }

    /// True once a pad was removed: another program may have begun, from which GStreamer cannot seek back.
    var hasChanged: Bool { state.withLock { $0.hasChanged } }

    /// Links a pad if none is linked; otherwise keeps the pad as a successor if the current pad's data has begun.
    ///
    /// - Returns: True when the pad was linked.
    func take(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        let address = UInt(bitPattern: pad)
        let isTaken = state.withLock { state in
            guard state.current != nil else {
                state.current = address
                return true
            }
            // The demuxer finds all streams of a program before the program's first data.
            if state.isFlowing { state.successors.append(address) }
            return false
        }
        unsafe PadProbe.add(to: pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] pad, info in
            if let event = unsafe gst_pad_probe_info_get_event(info) { unsafe self?.note(event.pointee.type, on: pad) }
            return GST_PAD_PROBE_OK
        }
        if isTaken { unsafe link(pad) }
        return isTaken
    }

    /// Forgets a pad that the demuxer has removed, and links the current pad's successor in its place.
    func remove(_ pad: UnsafeMutablePointer<GstPad>) {
        let address = UInt(bitPattern: pad)
        let successor = state.withLock { state -> UInt? in
            state.successors.removeAll { $0 == address }
            guard state.current == address else { return nil }
            state.current = state.successors.first
            if state.current != nil { state.successors.removeFirst() }
            (state.isFlowing, state.hasChanged, state.ended) = (false, true, nil)
            return state.current
        }
        if let next = unsafe successor.flatMap({ unsafe UnsafeMutablePointer<GstPad>(bitPattern: $0) }) {
            unsafe link(next)
        }
    }

    /// Updates the state for an event that leaves the demuxer through a pad.
    private func note(_ type: GstEventType, on pad: UnsafeMutablePointer<GstPad>) {
        let address = UInt(bitPattern: pad)
        let onEnd = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.current == address else { return nil }
            switch type {
            case GST_EVENT_EOS:
                state.ended = clock.now
                state.isBetween = !state.successors.isEmpty || companion?.isOpen == true
                return state.isBetween ? nil : state.onEnd
            case GST_EVENT_SEGMENT: (state.ended, state.isFlowing) = (nil, true)
            default: break
            }
            return nil
        }
        onEnd?()
    }

    /// True when the target must not receive the end that comes to it: another stream follows, or may follow in a
    /// later program.
    private func holdsEnd() -> Bool {
        state.update { state in
            if state.isBetween { state.isEndHeld = true }
            return state.isBetween
        }
    }

    /// True while the demuxer has data for the slot, from the current pad or from its successors.
    private var isOpen: Bool {
        state.withLock { !$0.successors.isEmpty || ($0.current != nil && $0.ended == nil) }
    }

    /// Waits until the old decoder has returned all of its data, or the pipeline stops, for at most 10 seconds.
    private func awaitEnd(before output: String) {
        let deadline = clock.now.advanced(by: Self.patience)
        while clock.now < deadline, pipeline.receives(output), !state.read({ $0.isEndHeld }) {
            _ = state.wait(until: clock.now.advanced(by: .milliseconds(20))) { $0.isEndHeld ? true : nil }
        }
    }

    /// Links a pad to the target, and first replaces a decoder that has decoded another stream.
    ///
    /// Without a target, discards the pad's data. A demuxer treats a pad whose data is discarded as a linked pad.
    private func link(_ pad: UnsafeMutablePointer<GstPad>) {
        guard let target else {
            return unsafe PadProbe.add(to: pad, GST_PAD_PROBE_TYPE_BUFFER) { _, _ in GST_PAD_PROBE_DROP }
        }
        if hasChanged {
            if let output {
                awaitEnd(before: output)
                pipeline.renewDecoder(target, before: output)
            } else {
                pipeline.unlinkInput(of: target)
            }
            state.withLock { ($0.isBetween, $0.isEndHeld) = (false, false) }
        }
        unsafe pipeline.withElement(target) { element in
            guard let sink = unsafe gst_element_get_static_pad(element, "sink") else { return }
            _ = unsafe gst_pad_link(pad, sink)
            unsafe gst_object_unref(sink)
        }
    }
}
#endif
