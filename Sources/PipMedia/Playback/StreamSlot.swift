#if Media
internal import CGStreamer
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The element that takes one stream of a demuxer, and after that stream's end the stream that follows it.
///
/// Where the program of a transport stream changes, the demuxer adds the pads of the new program, ends those of the old
/// one, removes them, and lets data through the new ones. The slot then links the new pad, behind a new decoder, and
/// keeps the end of the old one to itself. A `uridecodebin` removes pads first, without an end.
///
/// Its functions are called on the engine's threads; whoever makes it keeps it until the pipeline has stopped.
final class StreamSlot: Sendable {
    /// Pads by their addresses: the demuxer has them until it has told that they are removed.
    private struct State {
        /// The pad whose data is taken; nil while there is none.
        var current: UInt?
        /// Pads that were added after the first data of the current one, oldest first.
        var successors: [UInt] = []
        /// True from the first data of the current pad on.
        var isFlowing = false
        /// True from the end of the current pad until its successor is linked.
        var isBetween = false
        /// True once a pad was removed.
        var hasChanged = false
        /// The moment at which the data of the last pad ended; nil while it goes on.
        var ended: Timestamp?
    }

    private let pipeline: Pipeline
    private let target: String
    private let output: String?
    private let clock = MonotonicClock()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - pipeline: The pipeline of the demuxer and the target.
    ///   - target: The name of the element that takes the stream.
    ///   - output: The name of the element behind a target that is a `decodebin`; nil for other targets.
    init(_ pipeline: Pipeline, target: String, output: String?) {
        (self.pipeline, self.target, self.output) = (pipeline, target, output)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pipeline.withElement(output ?? target) { element in
            guard let sink = unsafe gst_element_get_static_pad(element, "sink") else { return }
            _ = unsafe gst_pad_add_probe(sink, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, endCame, context, nil)
            unsafe gst_object_unref(sink)
        }
    }

    /// The moment at which the stream's data ended; nil while it goes on.
    var ended: Timestamp? { state.withLock { $0.ended } }

    /// True once data has come: a stream that is found from then on belongs to another program.
    var isFlowing: Bool { state.withLock { $0.isFlowing } }

    /// Notes that the stream's data comes again, from another place.
    func restart() { state.withLock { $0.ended = nil } }

    /// True once another program has begun: the engine does not find back to the one before.
    var hasChanged: Bool { state.withLock { $0.hasChanged } }

    /// Links a pad, or keeps it in mind as the one that may follow.
    ///
    /// - Returns: True when it was linked.
    func take(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        let address = UInt(bitPattern: pad)
        let isTaken = state.withLock { state in
            guard state.current != nil else {
                state.current = address
                return true
            }
            // A program's own streams are all found before the first data.
            if state.isFlowing { state.successors.append(address) }
            return false
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, eventPassed, context, nil)
        if isTaken { unsafe link(pad) }
        return isTaken
    }

    /// Links the successor of a pad that the demuxer has removed.
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

    /// Looks at an event that leaves the demuxer, before the element behind it does.
    fileprivate func note(_ type: GstEventType, on pad: UnsafeMutablePointer<GstPad>) {
        let address = UInt(bitPattern: pad)
        state.withLock { state in
            guard state.current == address else { return }
            switch type {
            case GST_EVENT_EOS: (state.ended, state.isBetween) = (clock.now, !state.successors.isEmpty)
            case GST_EVENT_SEGMENT: (state.ended, state.isFlowing) = (nil, true)
            default: break
            }
        }
    }

    /// True when the end that has come through the target is that of a stream which another one follows.
    fileprivate var isContinued: Bool { state.withLock { $0.isBetween } }

    /// Links a pad to the target, or to a new one in place of a decoder that was used.
    private func link(_ pad: UnsafeMutablePointer<GstPad>) {
        if hasChanged {
            if let output {
                pipeline.renewDecoder(target, before: output)
            } else {
                pipeline.unlinkInput(of: target)
            }
            state.withLock { $0.isBetween = false }
        }
        unsafe pipeline.withElement(target) { element in
            guard let sink = unsafe gst_element_get_static_pad(element, "sink") else { return }
            _ = unsafe gst_pad_link(pad, sink)
            unsafe gst_object_unref(sink)
        }
    }
}

// Functions of the file: called on the engine's threads, they belong to no actor.

private func slot(_ context: gpointer?) -> StreamSlot? {
    unsafe context.map { unsafe Unmanaged<StreamSlot>.fromOpaque($0).takeUnretainedValue() }
}

private func eventPassed(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ context: gpointer?
) -> GstPadProbeReturn {
    if let pad = unsafe pad, let event = unsafe gst_pad_probe_info_get_event(info) {
        unsafe slot(context)?.note(event.pointee.type, on: pad)
    }
    return GST_PAD_PROBE_OK
}

private func endCame(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ context: gpointer?
) -> GstPadProbeReturn {
    guard let event = unsafe gst_pad_probe_info_get_event(info), unsafe event.pointee.type == GST_EVENT_EOS,
        unsafe slot(context)?.isContinued == true
    else { return GST_PAD_PROBE_OK }
    return GST_PAD_PROBE_DROP
}
#endif
