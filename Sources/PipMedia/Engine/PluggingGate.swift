#if Media
internal import CGStreamer
internal import Glibc
internal import PipConcurrency
internal import PipFrames

/// Keeps a pipeline's `parsebin` and `decodebin` from adding elements while the pipeline stops.
///
/// Such a bin locks the state of an element that it adds. The pipeline's change of state passes by a locked element: a
/// demuxer runs on while its bin frees the lists that both use, and the process aborts with "assertion failed:
/// (chain->elements != NULL)". GStreamer 1.22 to 1.26 have this fault.
///
/// Thread: any.
final class PluggingGate: Sendable {
    private struct State {
        /// True once the pipeline contains a bin that adds elements.
        var isNeeded = false
        var isClosed = false
        /// The threads that have chosen an element and have not added it yet.
        var adding: Set<pthread_t> = []
    }

    /// The longest wait for elements that are being added.
    private static let timeout = Duration.seconds(1)
    private static let poll = Duration.milliseconds(1)

    private let state = Monitor(State())

    /// Watches the bins of a pipeline, and all bins that are added to it later.
    func follow(_ pipeline: Pipeline) {
        unsafe pipeline.forEachElement { unsafe follow(bin: $0) }
        unsafe AddedElement.follow(pipeline) { [self] element in
            state.update { _ = $0.adding.remove(pthread_self()) }
            unsafe follow(bin: element)
        }
    }

    private func follow(bin element: UnsafeMutablePointer<GstElement>) {
        guard unsafe Self.isBin(element) else { return }
        state.withLock { $0.isNeeded = true }
        let chosen: ElementChosen = unsafe elementChosen
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe _ = g_signal_connect_data(
            element, "autoplug-select", unsafeBitCast(chosen, to: GCallback.self), context, releaseGate,
            GConnectFlags(rawValue: 0))
    }

    /// Keeps the bins from adding elements, and waits for the elements that are being added, for at most a second.
    ///
    /// Meanwhile the pipeline's outlets must accept samples.
    func close(_ pipeline: Pipeline) {
        guard
            state.update({ state in
                // A pipeline stops again when it is released.
                defer { state.isClosed = true }
                return state.isNeeded && !state.isClosed
            })
        else { return }
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: Self.timeout)
        _ = state.wait(until: deadline) { $0.adding.isEmpty ? true : nil }
        while Self.isAdding(in: pipeline), clock.now < deadline {
            usleep(UInt32(Self.poll.nanoseconds / 1000))
        }
    }

    private static func isAdding(in pipeline: Pipeline) -> Bool {
        var isAdding = false
        unsafe pipeline.forEachElement { element in
            guard unsafe gst_element_is_locked_state(element) != 0,
                let parent = unsafe gst_object_get_parent(
                    UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self))
            else { return }
            defer { unsafe gst_object_unref(parent) }
            if unsafe isBin(UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self)) {
                isAdding = true
            }
        }
        return isAdding
    }

    private static func isBin(_ element: UnsafeMutablePointer<GstElement>) -> Bool {
        let instance = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self)
        let name = unsafe g_type_name_from_instance(instance).map { unsafe String(cString: $0) }
        return name == "GstParseBin" || name == "GstDecodeBin"
    }

    /// Answers a bin that asks whether it may add an element, on the thread that would add it.
    fileprivate func answer() -> CInt {
        state.withLock { state in
            guard !state.isClosed else { return autoplugSkip }
            state.adding.insert(pthread_self())
            return autoplugTry
        }
    }
}

// GStreamer has these values of `GstAutoplugSelectResult` in no header.
private let autoplugTry: CInt = 0
private let autoplugSkip: CInt = 2

private typealias ElementChosen = @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?, gpointer?) -> CInt

// Global functions, because GStreamer's threads call them, and they may belong to no actor.

private func elementChosen(
    _ bin: gpointer?, _ pad: gpointer?, _ caps: gpointer?, _ factory: gpointer?, _ context: gpointer?
) -> CInt {
    guard let context = unsafe context else { return autoplugTry }
    return unsafe Unmanaged<PluggingGate>.fromOpaque(context).takeUnretainedValue().answer()
}

private func releaseGate(_ context: gpointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
    if let context = unsafe context { unsafe Unmanaged<PluggingGate>.fromOpaque(context).release() }
}
#endif
