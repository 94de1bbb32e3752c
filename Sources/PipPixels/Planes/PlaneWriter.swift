package import PipFrames
package import PipPlan

/// Writes one or more planes of an output from a source's frame.
///
/// Thread: the renderer's thread.
protocol PlaneWriter: AnyObject {
    /// The index of the source whose frame is read.
    var source: Int { get }
    /// True when the writer reads packed samples in row order, so that it may write stripe by stripe.
    var readsPacked: Bool { get }
    /// The number of rows that the writer writes, in its first plane.
    var rows: Int { get }

    /// Writes a range of rows, which must be all rows unless ``readsPacked`` is true.
    ///
    /// Allocates nothing.
    func write(_ rows: Range<Int>, from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout)
}

/// The writers for all parts of an output that the CPU copies from sources' frames.
package struct PlaneWriters {
    /// The writers, in groups that read the same packed samples; a writer that reads other samples is alone in its
    /// group.
    private let groups: [[any PlaneWriter]]
    /// The regions of luma that are written, and the index of the source for each.
    private let parts: [(region: PixelRect, source: Int)]

    /// The number of luma rows in a stripe.
    ///
    /// The rows that one writer has read are still in the processor's cache when the next writer reads them.
    private static let stripe = 32

    /// Prepares the writers of `blits`.
    ///
    /// - Parameters:
    ///   - blits: The blits of an output.
    ///   - sources: The sources with frames; blits from other sources are left out.
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
            // A layer's luma comes first, so chroma joins luma's group. Layers that lie over others come later.
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

    /// The index of the source that the first writer reads; nil without writers.
    package var firstSource: Int? { groups.first?.first?.source }

    /// True when the frames that are present cover the whole picture.
    ///
    /// May be false for regions that overlap or reach beyond the picture, even if these cover the picture.
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

    /// Writes the planes; skips sources without a frame.
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

/// The memory of the rows of an output's plane that a blit writes.
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
