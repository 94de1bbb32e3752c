internal import PipFrames

/// Checks that a filled buffer holds a whole frame, and locates its planes.
struct FrameChecker {
    private let memoryPlanes: Int
    /// The bytes that each memory plane must hold; empty for formats whose frames differ in length.
    private let needed: [Int]
    /// The length of the shortest possible picture, for formats whose frames differ in length.
    ///
    /// Units: bytes.
    private let shortest: Int

    /// The layout of the latest frame.
    private(set) var layout: FrameLayout
    private let base: FrameLayout
    private var offsets = InlineArray<3, Int>(repeating: 0)

    init(_ negotiated: NegotiatedFormat) {
        base = negotiated.format.layout
        layout = base
        // A compressed video picture without changes may take as little as some twenty bytes.
        shortest = negotiated.deviceFormat == .video ? 6 : 64
        switch negotiated.deviceFormat {
        case .native(_, let memoryPlanes):
            self.memoryPlanes = memoryPlanes
            needed = (0..<memoryPlanes).map {
                NativeLayout.bytesNeeded(negotiated.format.layout, ofMemoryPlane: $0, of: memoryPlanes)
            }
        case .jpeg, .video, .convertible, .deep, .interlaced:
            memoryPlanes = 1
            let rows = negotiated.memory[0].strideInBytes * negotiated.format.layout.size.height
            needed = negotiated.deviceFormat.raw.map { [rows * $0.total / $0.row] } ?? []
        }
    }

    /// Returns the reason to drop a frame; nil for a whole, undamaged frame.
    func fault(_ filled: FilledBuffer) -> DropReason? {
        if filled.hasError { return .corrupted }
        if needed.isEmpty { return filled.planes[0].byteCount < shortest ? .short : nil }
        for plane in 0..<memoryPlanes where filled.planes[plane].byteCount < needed[plane] { return .short }
        return nil
    }

    /// Moves ``layout`` by the offset of the driver's data in the buffer, because a header may precede the data.
    mutating func place(_ filled: FilledBuffer) {
        var isMoved = false
        for plane in 0..<memoryPlanes where filled.planes[plane].offset != offsets[plane] {
            offsets[plane] = filled.planes[plane].offset
            isMoved = true
        }
        guard isMoved else { return }
        // Drivers rarely change their offsets, so the following code may allocate memory.
        layout = base
        for plane in layout.planes.indices {
            layout.planes[plane].offset += offsets[memoryPlanes == 1 ? 0 : plane]
        }
    }
}
