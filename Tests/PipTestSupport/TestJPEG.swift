internal import CTurboJPEG
package import PipFrames

/// JPEG pictures for tests, encoded by libjpeg-turbo.
package enum TestJPEG {
    /// The chroma subsampling of a picture.
    package enum Sampling: CaseIterable, Sendable {
        case s444, s422, s420, s440, s411, gray
    }

    /// Encodes a picture whose luma and chroma are functions of the position in pixels.
    ///
    /// The chroma function is sampled at the top left of each chroma block. The quality is 100, so flat areas are
    /// exact.
    package static func encode(
        _ size: PixelSize, _ sampling: Sampling, luma: (Int, Int) -> UInt8, chroma: (Int, Int) -> (UInt8, UInt8)
    ) -> [UInt8] {
        let subsampling = CInt(truncatingIfNeeded: sampling.code.rawValue)
        let (across, down) = sampling.factors
        let padded = PixelSize(size.width.rounded(up: across), size.height.rounded(up: down))
        var planes: [[UInt8]] = [[], [], []]
        for y in 0..<padded.height {
            for x in 0..<padded.width { planes[0].append(luma(min(x, size.width - 1), min(y, size.height - 1))) }
        }
        if sampling != .gray {
            for y in 0..<padded.height / down {
                for x in 0..<padded.width / across {
                    let (blue, red) = chroma(x * across, y * down)
                    planes[1].append(blue)
                    planes[2].append(red)
                }
            }
        }
        let joined = planes.flatMap { $0 }
        guard let handle = unsafe tjInitCompress() else { return [] }
        defer { _ = unsafe tjDestroy(handle) }
        var memory: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        // The planes have no padding, so they are joined in one buffer with an alignment of 1.
        let result = unsafe tjCompressFromYUV(
            handle, joined, CInt(size.width), 1, CInt(size.height), subsampling, &memory, &count, 100, 0)
        defer { unsafe tjFree(memory) }
        guard result == 0, let memory = unsafe memory else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: Int(count)))
    }

    /// Removes the Huffman tables (DHT segments) from a picture, because many webcams omit these tables.
    package static func withoutHuffmanTables(_ jpeg: [UInt8]) -> [UInt8] {
        var stripped = Array(jpeg.prefix(2))
        var index = 2
        // Each segment before the scan consists of a marker, a length that includes itself, and data.
        while index + 3 < jpeg.count, jpeg[index] == 0xff, jpeg[index + 1] != 0xda {
            let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
            if jpeg[index + 1] != 0xc4 { stripped += jpeg[index..<end] }
            index = end
        }
        return stripped + jpeg[index...]
    }

    /// Encodes a picture of a single colour.
    package static func flat(
        _ size: PixelSize, _ sampling: Sampling = .s420, _ y: UInt8 = 90, _ u: UInt8 = 100, _ v: UInt8 = 200
    ) -> [UInt8] {
        encode(size, sampling, luma: { _, _ in y }, chroma: { _, _ in (u, v) })
    }
}

extension TestJPEG.Sampling {
    /// The number of luma samples for each chroma sample, across and down; 1 and 1 for `gray`.
    package var factors: (across: Int, down: Int) {
        switch self {
        case .s444, .gray: (1, 1)
        case .s422: (2, 1)
        case .s420: (2, 2)
        case .s440: (1, 2)
        case .s411: (4, 1)
        }
    }

    fileprivate var code: TJSAMP {
        switch self {
        case .s444: TJSAMP_444
        case .s422: TJSAMP_422
        case .s420: TJSAMP_420
        case .s440: TJSAMP_440
        case .s411: TJSAMP_411
        case .gray: TJSAMP_GRAY
        }
    }
}

extension Int {
    fileprivate func rounded(up step: Int) -> Int { (self + step - 1) / step * step }
}
