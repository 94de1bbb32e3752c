package import PipFrames
package import PipPlan

/// A writer of one or two planes of an output, from a source's frame.
///
/// Thread: the thread of its context.
protocol PlaneWriter: AnyObject {
    /// The index of the source.
    var source: Int { get }
    /// True when the rows come from packed samples in order, so that the writer may run in stripes.
    var readsPacked: Bool { get }
    /// The number of rows that the writer writes.
    var rows: Int { get }

    /// Writes some rows; all of them unless ``readsPacked``. Allocates nothing.
    func write(_ rows: Range<Int>, from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout)
}

/// All planes of an output that the CPU writes from sources' frames.
package struct PlaneWriters {
    /// The writers, grouped by the samples that they read.
    private let groups: [[any PlaneWriter]]
    /// The regions of luma that are written, and the index of each one's source.
    private let parts: [(region: PixelRect, source: Int)]

    /// The luma rows of a stripe.
    ///
    /// Rows that one writer has read are still in the processor's cache for the next writer.
    private static let stripe = 32

    /// Leaves out blits from sources without frames.
    package init(_ blits: [Blit], sources: [NodeID]) {
        var groups: [[any PlaneWriter]] = []
        var index = 0
        while index < blits.count {
            let blit = blits[index]
            index += 1
            guard let source = sources.firstIndex(of: blit.source) else { continue }
            let writer: any PlaneWriter
            if let all = PackedPlanes(blits[(index - 1)...], source: source) {
                writer = all
                index += all.count - 1
            } else if index < blits.count, let both = PreparedChroma(blit, blits[index], source: source) {
                writer = both
                index += 1
            } else {
                writer = PreparedBlit(blit, source: source)
            }
            // Luma is a layer's first plane, and layers that lie over others come after them.
            if blit.plane > 0, writer.readsPacked, let last = groups.last?.last, last.readsPacked {
                groups[groups.count - 1].append(writer)
            } else {
                groups.append([writer])
            }
        }
        self.groups = groups
        parts = blits.filter { $0.plane == 0 }.compactMap { blit in
            sources.firstIndex(of: blit.source).map { (blit.region, $0) }
        }
    }

    package var isEmpty: Bool { groups.isEmpty }

    /// The source of the first writer.
    package var firstSource: Int? { groups.first?.first?.source }

    /// True when the writers cover the whole picture: one by itself, or several side by side.
    package func cover(_ size: PixelSize, from frames: [Frame?]) -> Bool {
        var area = 0
        for (index, part) in parts.enumerated() where frames[part.source] != nil {
            if part.region.contains(size.bounds) { return true }
            let overlaps = parts[..<index].contains { $0.region.intersection(part.region).size.area > 0 }
            guard size.bounds.contains(part.region), !overlaps else { return false }
            area += part.region.size.area
        }
        return area == size.area
    }

    /// Writes the planes from sources' frames.
    package func run(from frames: [Frame?], to buffer: FrameBuffer, _ layout: FrameLayout) {
        for group in groups {
            guard let first = group.first, let frame = frames[first.source] else { continue }
            let stripes = group.count > 1 ? max(1, first.rows / Self.stripe) : 1
            for stripe in 0..<stripes {
                for writer in group {
                    let rows = writer.rows * stripe / stripes..<writer.rows * (stripe + 1) / stripes
                    writer.write(rows, from: frame, to: buffer, layout)
                }
            }
        }
    }
}

/// The rows of an output's plane that a blit writes.
@safe struct PlaneTarget {
    let first: UnsafeMutableRawPointer
    let stride: Int

    init?(_ blit: Blit, _ buffer: FrameBuffer, _ layout: FrameLayout) {
        guard let memory = unsafe buffer.mutableBytes(ofPlane: blit.plane).baseAddress else { return nil }
        let plane = layout.planes[blit.plane]
        let bytes = blit.byteCount / max(blit.region.size.area, 1)
        stride = plane.strideInBytes
        unsafe first = memory + plane.offset + blit.region.y * stride + blit.region.x * bytes
    }

    func line(_ row: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe (first + row * stride).assumingMemoryBound(to: UInt8.self)
    }
}
