package import PipFrames

/// The sample format of a YUV4MPEG2 stream, from the tag `C` of its first line.
///
/// Source: yuv4mpeg(5) of mjpegtools; the tags of more than 8 bits are FFmpeg's.
package struct Y4MSamples: Hashable, Sendable {
    /// The planes in addition to luma, and the subsampling of chroma.
    package enum Sampling: String, Hashable, Sendable, CaseIterable {
        case mono
        case yuv411 = "411"
        case yuv420 = "420"
        case yuv422 = "422"
        case yuv444 = "444"
        /// Chroma without subsampling, and a plane of straight alpha from 0 to 255 in both quantization ranges.
        case yuv444alpha = "444alpha"
    }

    package let sampling: Sampling
    /// The number of bits in a sample, 8 to 16.
    ///
    /// Samples of more than 8 bits take two bytes in little-endian order.
    package let bits: Int
    /// The position of chroma samples relative to luma samples.
    package let siting: ChromaSiting

    package init(_ sampling: Sampling, bits: Int = 8, siting: ChromaSiting = .center) {
        self.sampling = sampling
        self.bits = bits
        self.siting = siting
    }

    /// Parses a tag's value, such as `420mpeg2`, `422p10` or `mono16`; returns nil for unsupported samples.
    package init?(_ tag: String) {
        switch tag {
        case "420", "420jpeg": self.init(.yuv420)
        case "420mpeg2": self.init(.yuv420, siting: .left)
        case "420paldv": self.init(.yuv420, siting: .topLeft)
        // In yuv4mpeg(5), chroma samples of 4:1:1 and 4:2:2 lie on columns of luma samples.
        case "411": self.init(.yuv411, siting: .left)
        case "422": self.init(.yuv422, siting: .left)
        case "444": self.init(.yuv444)
        case "444alpha": self.init(.yuv444alpha)
        case "mono": self.init(.mono)
        default:
            guard let (name, bits) = Self.deep(tag) else { return nil }
            switch name {
            case "mono": self.init(.mono, bits: bits)
            // These tags omit the siting, which is on the left in H.264 and HEVC, the usual origins of such files.
            case "420p": self.init(.yuv420, bits: bits, siting: .left)
            case "422p": self.init(.yuv422, bits: bits, siting: .left)
            case "444p": self.init(.yuv444, bits: bits)
            default: return nil
            }
        }
    }

    /// Splits a tag that ends with a number of bits from 9 to 16; returns nil for other tags.
    private static func deep(_ tag: String) -> (name: Substring, bits: Int)? {
        let digits = tag.hasSuffix("9") ? 1 : 2
        guard let bits = Int(tag.suffix(digits)), (9...16).contains(bits) else { return nil }
        return (tag.dropLast(digits), bits)
    }

    /// The value of the tag `C` for these samples.
    package var tag: String {
        switch (sampling, bits) {
        case (.yuv420, 8):
            switch siting {
            case .center: "420jpeg"
            case .left: "420mpeg2"
            case .topLeft: "420paldv"
            }
        case (_, 8): sampling.rawValue
        case (.mono, _): "mono\(bits)"
        default: "\(sampling.rawValue)p\(bits)"
        }
    }

    /// The pipeline's format for these samples: grey, the nearest YUV format with at least as many chroma samples, or
    /// an RGB format for chroma without subsampling.
    package var format: PixelFormat {
        switch sampling {
        case .mono: .gray
        case .yuv420: .i420
        case .yuv411, .yuv422: .nv16
        case .yuv444: .bgrx
        case .yuv444alpha: .bgra
        }
    }

    /// True when the file's frames are in ``format`` already, byte for byte.
    package var isUnchanged: Bool { bits == 8 && (sampling == .mono || sampling == .yuv420) }

    /// A note for the user about the precision that ``format`` loses; nil when it loses none.
    package var note: String? { bits > 8 ? "\(bits) bits a sample, shown with 8" : nil }

    /// The numbers of columns and rows of each plane in the file.
    package func planes(of size: PixelSize) -> [PixelSize] {
        func chroma(_ across: Int, _ down: Int) -> [PixelSize] {
            let plane = PixelSize(size.width.dividedUp(by: across), size.height.dividedUp(by: down))
            return [size, plane, plane]
        }
        return switch sampling {
        case .mono: [size]
        case .yuv411: chroma(4, 1)
        case .yuv420: chroma(2, 2)
        case .yuv422: chroma(2, 1)
        case .yuv444: chroma(1, 1)
        case .yuv444alpha: chroma(1, 1) + [size]
        }
    }

    /// The number of bytes of a frame's samples in the file.
    package func byteCount(of size: PixelSize) -> Int {
        planes(of: size).reduce(0) { $0 + $1.width * $1.height } * (bits > 8 ? 2 : 1)
    }
}
