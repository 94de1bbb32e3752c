package import PipConcurrency
package import PipFrames
internal import Synchronization

/// A bounded queue for frames that an app pushes.
///
/// When the queue is full, a new frame replaces the oldest.
///
/// All frames have the same layout.
///
/// Thread: any.
package final class PushSource: Sendable {
    /// The result of a push.
    package enum Outcome: Sendable {
        case accepted
        /// The frame was accepted, and the oldest waiting frame was dropped.
        case acceptedInPlaceOfOlder
        /// The frame was dropped, because all memory for copies is in use.
        case dropped
        /// The source was finished.
        case closed
    }

    package let description: SourceDescription
    /// The queue of pushed frames, in order.
    ///
    /// ``finish()`` closes the queue.
    package let frames: BoundedQueue<Frame>
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var pool: FramePool
        var pushed: UInt64 = 0
        var drops = DropCounts()
    }

    /// The number of buffers for copies in addition to those in the queue: one for the next copy, and those that the
    /// consumer keeps.
    private static let spareBuffers = 5

    /// - Parameters:
    ///   - description: The format of the frames.
    ///   - capacity: The most frames to queue.
    package init(_ description: SourceDescription, capacity: Int = 2) {
        self.description = description
        frames = BoundedQueue(capacity: max(capacity, 1))
        state = Mutex(State(pool: FramePool(description.layout, limit: max(capacity, 1) + Self.spareBuffers)))
    }

    /// Pushes a frame without copying its pixels.
    ///
    /// The pixels must stay unchanged until the last reference to the frame is released.
    ///
    /// - Parameter frame: A frame in the description's layout. The source replaces the frame's sequence number.
    /// - Returns: The result of the push.
    /// - Throws: ``SourceError`` when the frame has another layout, or less memory than its layout needs.
    package func push(_ frame: Frame) throws(SourceError) -> Outcome {
        try check(frame.layout)
        for (index, plane) in frame.layout.planes.enumerated() {
            let available = unsafe frame.buffer.bytes(ofPlane: index).count
            guard plane.offset >= 0, plane.offset + plane.byteCount <= available else {
                throw SourceError(
                    description.name, "take a frame", .invalidOptions,
                    "plane \(index) has \(available) bytes; its layout needs \(plane.offset + plane.byteCount)")
            }
        }
        return enqueue(frame.info, frame.buffer)
    }

    /// Pushes a copy of pixels.
    ///
    /// - Parameters:
    ///   - bytes: The memory that the offsets of `layout`'s planes refer to.
    ///   - layout: A layout of the description's format and size; the stride may differ.
    ///   - timestamp: The time of capture on `CLOCK_MONOTONIC`.
    /// - Returns: The result of the push.
    /// - Throws: ``SourceError`` when the layout does not fit the description or the bytes.
    package func push(
        copying bytes: RawSpan, layout: FrameLayout, timestamp: Timestamp
    ) throws(SourceError) -> Outcome {
        let own = description.layout
        guard layout.format == own.format, layout.size == own.size, layout.planes.count == own.planes.count else {
            throw mismatch(layout)
        }
        for (given, wanted) in zip(layout.planes, own.planes) {
            guard given.rowBytes == wanted.rowBytes, given.dimensions == wanted.dimensions, given.offset >= 0,
                given.strideInBytes >= given.rowBytes, given.offset + given.byteCount <= bytes.byteCount
            else {
                throw SourceError(
                    description.name, "take a frame", .invalidOptions,
                    "its planes must have the rows of a \(own.size) \(own.format) picture, and lie within its "
                        + "\(bytes.byteCount) bytes")
            }
        }
        guard !frames.isClosed else { return .closed }
        let buffer = state.withLock { state in
            let buffer = state.pool.next()
            if buffer == nil { state.drops[.late] += 1 }
            return buffer
        }
        guard let buffer else { return .dropped }
        unsafe bytes.withUnsafeBytes { unsafe Self.copy($0, layout, to: buffer, own) }
        var info = description.info(ofFrame: 0)
        info.timestamp = timestamp
        return enqueue(info, buffer)
    }

    /// The numbers of pushed frames that were dropped before the consumer could take them.
    package var drops: DropCounts { state.withLock { $0.drops } }

    /// Closes the queue.
    ///
    /// The consumer can still take the frames that wait.
    package func finish() { frames.close() }

    /// True when the source has ended and all frames were taken.
    package var isFinished: Bool { frames.isFinished }

    private func enqueue(_ info: FrameInfo, _ buffer: FrameBuffer) -> Outcome {
        state.withLock { state in
            var info = info
            info.sequence = state.pushed
            switch frames.push(Frame(info: info, buffer: buffer), policy: .dropOldest) {
            case .closed, .timedOut: return .closed
            case .accepted:
                state.pushed += 1
                return .accepted
            case .dropped:
                state.pushed += 1
                state.drops[.late] += 1
                return .acceptedInPlaceOfOlder
            }
        }
    }

    private func check(_ layout: FrameLayout) throws(SourceError) {
        guard layout == description.layout else { throw mismatch(layout) }
    }

    private func mismatch(_ layout: FrameLayout) -> SourceError {
        let own = description.layout
        let given = "\(layout.size) \(layout.format)"
        let reason =
            if layout.format != own.format || layout.size != own.size {
                "it is \(given), but the source is \(own.size) \(own.format)"
            } else if layout.planes.count != own.planes.count {
                "its number of planes is \(layout.planes.count), but must be \(own.planes.count)"
            } else {
                "its planes must have the strides and offsets of the source's layout"
            }
        return SourceError(description.name, "take a frame", .invalidOptions, reason)
    }

    @unsafe private static func copy(
        _ source: UnsafeRawBufferPointer, _ layout: FrameLayout, to buffer: FrameBuffer, _ own: FrameLayout
    ) {
        for index in own.planes.indices {
            let (from, to) = (layout.planes[index], own.planes[index])
            let target = unsafe buffer.mutableBytes(ofPlane: index)
            for row in 0..<to.dimensions.height {
                let start = from.offset + row * from.strideInBytes
                let line = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: target[(to.offset + row * to.strideInBytes)...])
                unsafe line.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + to.rowBytes]))
            }
        }
    }
}
