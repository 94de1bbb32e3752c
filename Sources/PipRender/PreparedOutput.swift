internal import PipFrames
internal import PipGL
internal import PipGraph
internal import PipPixels
internal import PipPlan

/// An output of a plan, with the memory of the frames that are being made or held by sinks.
final class PreparedOutput {
    let info: FrameInfo
    /// The sinks that take the frames.
    let sinks: [NodeID]
    /// The sources that the frames show.
    let sources: [NodeID]
    let readbacks: [PreparedReadback]
    /// The steps in which the CPU draws into the frames; nil for a plan that OpenGL ES draws.
    let draws: PreparedDraws?
    /// The writers that copy layers from sources' frames.
    let blits: PlaneWriters
    /// The value of each component with which the planes are filled before the blits; nil where a blit or passes fill
    /// the planes.
    let background: [UInt8]?
    /// True when the output's sinks take the present frame.
    var isDue = true
    private var slots: [OutputSlot] = []
    private let framesInFlight: Int

    init(
        _ output: PlannedOutput, readbacks: [PreparedReadback], draws: PreparedDraws?, sources: [NodeID],
        framesInFlight: Int
    ) {
        var info = FrameInfo(layout: output.layout, colorimetry: output.colorimetry)
        info.content = output.content
        self.info = info
        sinks = output.sinks
        self.sources = output.sources
        self.readbacks = readbacks
        self.draws = draws
        blits = PlaneWriters(output.blits, sources: sources)
        background = output.background
        self.framesInFlight = framesInFlight
    }

    /// The index of the source whose frame covers the whole picture; nil where a colour or a pass does.
    ///
    /// The output cannot be made while that source has no frame.
    var base: Int? { background == nil ? blits.firstSource : nil }

    /// True when memory for another frame is free, or may be allocated.
    var hasRoom: Bool { slots.count < framesInFlight || slots.contains { $0.isFree } }

    /// Returns free memory for a frame, allocated if need be; nil while the GPU or the sinks hold all of it.
    func nextSlot(on gpu: isolated RenderContext) throws(GLError) -> OutputSlot? {
        for slot in slots where slot.isFree { return slot }
        guard slots.count < framesInFlight else { return nil }
        let slot = try OutputSlot(for: self, on: gpu)
        slots.append(slot)
        return slot
    }
}

/// A part of a render target that is read back into a plane of a frame.
struct PreparedReadback {
    let target: RenderTarget
    let format: TextureFormat
    let region: PixelRect
    let plane: Int
    let offset: Int
    let rowStep: Int
    let rowBytes: Int

    init(_ readback: Readback, target: RenderTarget, format: TextureFormat) {
        self.target = target
        self.format = format
        region = readback.region
        plane = readback.plane
        offset = readback.offset
        rowStep = readback.rowStep
        rowBytes = readback.region.width * readback.bytesPerTexel
    }
}

/// The memory of an output's frame, which is reused once neither the GPU nor a sink uses the memory.
final class OutputSlot {
    private var buffer: FrameBuffer
    /// The buffer that the GPU writes.
    ///
    /// Holds the whole frame where the frame lies in this buffer (`isDirect`). Otherwise holds the parts that are read
    /// back, one after the other. Nil when nothing is read back.
    private let readback: ReadbackBuffer?
    private let isDirect: Bool
    private var fence: Fence?
    private(set) var isInFlight = false
    private var info: FrameInfo
    /// The frames whose memory the GPU reads until it passes the fence.
    private var lent: [Frame] = []

    init(for output: PreparedOutput, on gpu: isolated RenderContext) throws(GLError) {
        info = output.info
        let layout = output.info.layout
        let partBytes = output.readbacks.reduce(0) { $0 + $1.rowBytes * $1.region.height }
        let isDrawnByGL = output.draws == nil && output.blits.isEmpty && output.background == nil
        let mayBeDirect = isDrawnByGL && gpu.capabilities?.hasPersistentMapping == true
        let byteCount = mayBeDirect ? layout.byteCount : partBytes
        readback = byteCount > 0 ? try ReadbackBuffer(byteCount: byteCount, on: gpu) : nil
        if mayBeDirect, let bytes = unsafe readback?.mappedBytes {
            isDirect = true
            // The GPU fills the memory, so nothing writes through this pointer.
            let start = unsafe UnsafeMutableRawBufferPointer(mutating: bytes)
            unsafe buffer = FrameBuffer(planes: Array(repeating: start, count: layout.planes.count), backing: readback)
        } else {
            isDirect = false
            buffer = FrameBuffer(layout)
        }
    }

    /// True when neither the GPU nor a sink uses the memory.
    var isFree: Bool { !isInFlight && isKnownUniquelyReferenced(&buffer) }

    /// Stamps the frame, and queues the read-backs of its parts, if it has any, followed by a fence.
    func read(
        _ output: PreparedOutput, timestamp: Timestamp, sequence: UInt64, on gpu: isolated RenderContext
    ) throws(GLError) {
        info.timestamp = timestamp
        info.sequence = sequence
        guard let readback else { return isInFlight = true }
        var offset = 0
        for part in output.readbacks {
            let plane = info.layout.planes[part.plane]
            try readback.read(
                from: part.target, region: part.region, format: part.format,
                into: isDirect ? plane.offset + part.offset : offset,
                strideInBytes: isDirect ? plane.strideInBytes * part.rowStep : part.rowBytes, on: gpu)
            offset += part.rowBytes * part.region.height
        }
        fence = try Fence(on: gpu)
        isInFlight = true
    }

    /// Retains frames until the GPU has finished all queued work, and empties `frames`.
    ///
    /// Does nothing when no fence is queued: the caller then keeps the frames.
    func hold(_ frames: inout [Frame]) {
        guard fence != nil, !frames.isEmpty else { return }
        lent.append(contentsOf: frames)
        frames.removeAll(keepingCapacity: true)
    }

    /// Copies layers from sources' frames, after filling the planes with the background if the layers leave gaps.
    func blit(_ output: PreparedOutput, from frames: [Frame?]) {
        if let background = output.background, !output.blits.cover(info.layout.size, from: frames) {
            buffer.fill(with: background, info.layout)
        }
        output.blits.run(from: frames, to: buffer, info.layout)
    }

    /// Runs the passes that the CPU draws into the frame.
    func draw(_ output: PreparedOutput, _ plan: RowMemoryPlan, from frames: [Frame?], at time: Duration) {
        output.draws?.run(plan, frames, into: buffer, info.layout, at: time)
    }

    /// Returns the frame once the GPU has finished it.
    ///
    /// `timeout`: The longest wait for the GPU, after which the result is nil.
    func finish(_ output: PreparedOutput, timeout: Duration, on gpu: isolated RenderContext) throws(GLError) -> Frame? {
        if fence != nil {
            guard fence?.wait(timeout: timeout, on: gpu) == true else { return nil }
            fence = nil
            lent.removeAll(keepingCapacity: true)
        }
        if let readback, !isDirect {
            let buffer = buffer
            let info = info
            try unsafe readback.withMapped(on: gpu) { (bytes: UnsafeRawBufferPointer) throws(GLError) in
                var offset = 0
                for part in output.readbacks {
                    let plane = info.layout.planes[part.plane]
                    let target = unsafe buffer.mutableBytes(ofPlane: part.plane)
                    if let from = bytes.baseAddress, let to = target.baseAddress {
                        unsafe copyRows(
                            from: InputRows(from + offset, stride: part.rowBytes),
                            to: OutputRows(
                                to + plane.offset + part.offset, stride: plane.strideInBytes * part.rowStep),
                            rowBytes: part.rowBytes, rows: part.region.height)
                    }
                    offset += part.rowBytes * part.region.height
                }
            }
        }
        isInFlight = false
        return Frame(info: info, buffer: buffer)
    }
}
