package import PipFrames
package import PipPlan

/// Something by which the CPU makes a part of an output of a source's frame: of one plane, or of two.
///
/// It lives on its context's thread.
protocol PlaneWriter: AnyObject {
    /// The index of the source.
    var source: Int { get }
    /// True when its rows come from packed samples in order, so that it may run in stripes.
    var readsPacked: Bool { get }
    /// Rows that it writes.
    var rows: Int { get }

    /// Writes some of its rows, all of them unless ``readsPacked``; allocates nothing.
    func write(_ rows: Range<Int>, from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout)
}

/// All that the CPU makes of an output.
package struct PlaneWriters {
    /// The writers, grouped by the samples that they read.
    private let groups: [[any PlaneWriter]]
    /// Where luma is written, and the index of the source that it is made of.
    private let parts: [(region: PixelRect, source: Int)]

    /// Luma rows of a stripe: what one writer has read of them is still in the processor's cache for the next.
    private static let stripe = 32

    /// Leaves out blits from sources that are not there.
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
            // Luma is a layer's first plane, and what lies over others comes after them.
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

    /// The source of the first one.
    package var firstSource: Int? { groups.first?.first?.source }

    /// True when nothing of a picture is left unwritten: one part covers it, or parts side by side do.
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

    /// Writes what follows from sources' frames.
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

/// Where the rows of an output's plane are that a blit writes.
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
