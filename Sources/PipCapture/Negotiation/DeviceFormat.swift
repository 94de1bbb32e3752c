internal import PipFrames

/// A driver's pixel format, classified by how its frames become drawable: directly, deinterlaced or decoded.
enum DeviceFormat: Equatable {
    /// A format that is used without conversion.
    ///
    /// `memoryPlanes` is the number of memory buffers for each frame: 1, or one for each plane.
    case native(PixelFormat, memoryPlanes: Int)
    /// Two fields in one buffer, to be deinterlaced.
    case interlaced(PixelFormat, Interlacing)
    /// Samples of more than 8 bits, which libyuv reduces to 8 bits.
    case deep(DeepSamples)
    /// JPEG pictures, decoded to I420.
    case jpeg
    /// Compressed video, which ``VideoDecoding`` decodes; pictures depend on earlier pictures.
    case video
    /// A format that libv4lconvert converts to I420; `raw` is nil for compressed formats.
    case convertible(raw: RawBits?)

    /// The bits for each pixel of an uncompressed format: in a row of the first plane, and in all planes together.
    struct RawBits: Equatable {
        let row: Int
        let total: Int

        init(row: Int, total: Int) {
            self.row = row
            self.total = total
        }

        init(_ format: PixelFormat) {
            let pair = FrameLayout(format, PixelSize(2, 2))
            row = pair.planes[0].rowBytes * 4
            total = pair.payloadByteCount * 2
        }
    }

    /// Samples of more than 8 bits, each in two bytes in little-endian order.
    struct DeepSamples: Equatable {
        /// The format after reduction to 8 bits.
        let format: PixelFormat
        /// The number of significant bits, counted from the lowest; 16 for samples in the upper bits, as in P010.
        let bits: Int
    }

    /// The bits for each pixel; nil for compressed formats, and for native formats, whose layout determines them.
    var raw: RawBits? {
        switch self {
        case .native, .jpeg, .video: nil
        case .convertible(let raw): raw
        case .deep(let samples): RawBits(row: 16, total: samples.format == .gray ? 16 : 24)
        case .interlaced(let format, _): RawBits(format)
        }
    }

    /// Classifies a V4L2 pixel format; returns nil for a format that this program cannot read.
    init?(_ fourCC: FourCC) {
        if let format = Self.contiguous[fourCC] {
            self = .native(format, memoryPlanes: 1)
        } else if let format = Self.separate[fourCC] {
            self = .native(format, memoryPlanes: format.planeCount)
        } else if let samples = Self.deep[fourCC] {
            self = .deep(samples)
        } else if fourCC == FourCC("MJPG") || fourCC == FourCC("JPEG") {
            self = .jpeg
        } else if Self.videoFormats.contains(fourCC) {
            self = .video
        } else if let raw = Self.rawLibraryFormats[fourCC] {
            self = .convertible(raw: raw)
        } else if Self.compressedLibraryFormats.contains(fourCC) {
            self = .convertible(raw: nil)
        } else {
            return nil
        }
    }

    /// The format to use when pictures have the given interlacing; the format itself when `interlacing` is nil.
    ///
    /// Only native formats with all planes in one buffer are deinterlaced; other formats are returned unchanged.
    func with(_ interlacing: Interlacing?) -> DeviceFormat {
        guard case .native(let format, 1) = self, let interlacing else { return self }
        return .interlaced(format, interlacing)
    }

    /// The cost rank of the format; lower is better.
    ///
    /// Encoders need 4:2:0; 4:2:2 takes a third more bytes. MJPEG has to be decoded, RGB takes at least twice the
    /// bytes of 4:2:0, and libv4lconvert works on one core. Grey lacks colour. Every picture of video has to be
    /// decoded, even when its frame is dropped.
    var cost: Int {
        switch self {
        case .native(let format, _), .interlaced(let format, _):
            if format == .gray { return 5 }
            if format.family == .rgb { return 3 }
            return format.chromaSubsampling.y == 2 ? 0 : 1
        case .jpeg: return 2
        case .deep(let samples): return samples.format == .gray ? 5 : 4
        case .convertible: return 4
        case .video: return 6
        }
    }

    /// The memory for each pixel of a native format, to rank formats of equal cost; 0 for other formats.
    ///
    /// Units: bits.
    var bitsPerPixel: Int {
        guard case .native(let format, _) = self else { return 0 }
        return RawBits(format).total
    }

    /// The format of delivered frames; for video, the format expected from the decoder.
    var delivered: PixelFormat {
        switch self {
        case .native(let format, _), .interlaced(let format, _): format
        case .deep(let samples): samples.format
        case .jpeg, .convertible, .video: .i420
        }
    }

    /// The V4L2 codes of formats, keyed by lowercased format name.
    static let codes: [String: FourCC] = {
        var codes = [
            "mjpeg": FourCC("MJPG"), "mjpg": FourCC("MJPG"), "jpeg": FourCC("JPEG"), "h264": FourCC("H264"),
            "h265": FourCC("HEVC"), "hevc": FourCC("HEVC"),
        ]
        for format in PixelFormat.allCases { codes[format.rawValue] = format.fourCC }
        return codes
    }()

    private static let contiguous: [FourCC: PixelFormat] = {
        var table: [FourCC: PixelFormat] = [:]
        for format in PixelFormat.allCases { table[format.fourCC] = format }
        // The old codes of 32-bit RGB, whose fourth byte is undefined.
        table[FourCC("BGR4")] = .bgrx
        table[FourCC("RGB4")] = .xrgb
        return table
    }()

    /// The formats with a memory buffer for each plane.
    private static let separate: [FourCC: PixelFormat] = [
        FourCC("NM12"): .nv12, FourCC("NM21"): .nv21, FourCC("NM16"): .nv16, FourCC("YM12"): .i420,
        FourCC("YM21"): .yv12,
    ]

    private static let videoFormats = [FourCC("H264"), FourCC("HEVC")]

    /// The formats of 10-bit 4:2:0, and the grey formats of depth, infrared and machine vision cameras.
    private static let deep: [FourCC: DeepSamples] = [
        FourCC("P010"): DeepSamples(format: .nv12, bits: 16), FourCC("Y10"): DeepSamples(format: .gray, bits: 10),
        FourCC("Y12"): DeepSamples(format: .gray, bits: 12), FourCC("Y14"): DeepSamples(format: .gray, bits: 14),
        FourCC("Y16"): DeepSamples(format: .gray, bits: 16),
    ]

    /// The uncompressed formats that libv4lconvert 1.22 converts to I420: Bayer, packed grey and rare layouts.
    ///
    /// RGBP is left out, because the library swaps its red and blue.
    ///
    /// Source: v4l-utils, `lib/libv4lconvert/libv4lconvert.c`, `supported_src_pixfmts`; each format was tested.
    private static let rawLibraryFormats: [FourCC: RawBits] = {
        var table: [FourCC: RawBits] = [:]
        for name in ["BA81", "GBRG", "GRBG", "RGGB"] { table[FourCC(name)] = RawBits(row: 8, total: 8) }
        for name in ["BG10", "GB10", "BA10", "RG10", "BYR2", "RG16"] {
            table[FourCC(name)] = RawBits(row: 16, total: 16)
        }
        for name in ["pBAA", "pGAA", "pgAA", "pRAA", "Y10B"] { table[FourCC(name)] = RawBits(row: 10, total: 10) }
        for name in ["M420", "HM12"] { table[FourCC(name)] = RawBits(row: 8, total: 12) }
        table[FourCC("NV61")] = RawBits(row: 8, total: 16)
        table[FourCC("HSV3")] = RawBits(row: 24, total: 24)
        table[FourCC("HSV4")] = RawBits(row: 32, total: 32)
        return table
    }()

    /// The compressed formats of old webcams that libv4lconvert decodes.
    private static let compressedLibraryFormats = Set(
        ["PJPG", "JPGL", "S561", "S910", "S501", "S505", "S508", "M310", "SONX", "P207", "KONI"].map { FourCC($0) })
}
