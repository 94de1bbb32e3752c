internal import PipFrames

/// The way a driver's pixel format is turned into a ``PixelFormat``.
enum DeviceFormat: Equatable {
    /// Used as it lies in memory; `memoryPlanes` is the number of buffers a frame: 1, or one for each plane.
    case native(PixelFormat, memoryPlanes: Int)
    /// Two fields that are made one picture; planes share a buffer.
    case interlaced(PixelFormat, Interlacing)
    /// Brought from more bits a sample to eight by libyuv.
    case deep(DeepSamples)
    /// Decoded to I420.
    case jpeg
    /// Decoded by a ``VideoDecoding``: pictures need those before them.
    case video
    /// Converted to I420 by libv4lconvert; `raw` is nil when its frames differ in length.
    case convertible(raw: RawBits?)

    /// Bits for a pixel of an uncompressed format: in a row of the first plane, and in all planes together.
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

    /// Samples of more than eight bits, each in two bytes with the lower one first.
    struct DeepSamples: Equatable {
        /// What becomes of them.
        let format: PixelFormat
        /// The bits of a sample, from the lowest; 16 where it lies in the upper ones.
        let bits: Int
    }

    /// Bits for a pixel; nil for what is compressed, and for native formats, whose layout has them.
    var raw: RawBits? {
        switch self {
        case .native, .jpeg, .video: nil
        case .convertible(let raw): raw
        case .deep(let samples): RawBits(row: 16, total: samples.format == .gray ? 16 : 24)
        case .interlaced(let format, _): RawBits(format)
        }
    }

    /// The treatment of a format; nil when it cannot be used.
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

    /// The same format of a picture that may have fields: those of formats with a buffer for every plane stay woven.
    func with(_ interlacing: Interlacing?) -> DeviceFormat {
        guard case .native(let format, 1) = self, let interlacing else { return self }
        return .interlaced(format, interlacing)
    }

    /// The rank of the cost of using this format; lower is better.
    ///
    /// 4:2:0 is what encoders want; 4:2:2 is a third more bytes; MJPEG costs the decoding; RGB is twice the bytes; the
    /// library works on one core; grey has lost the colour; video is decoded picture by picture, wanted or not.
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

    /// Bits of memory for a pixel, to tell formats of equal cost apart.
    var bitsPerPixel: Int {
        guard case .native(let format, _) = self else { return 0 }
        return RawBits(format).total
    }

    /// The format of the frames that are delivered.
    var delivered: PixelFormat {
        switch self {
        case .native(let format, _), .interlaced(let format, _): format
        case .deep(let samples): samples.format
        case .jpeg, .convertible, .video: .i420
        }
    }

    /// The codes of formats by the names that users have for them, in lower case.
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
        // The old names of 32-bit RGB, whose fourth byte means nothing.
        table[FourCC("BGR4")] = .bgrx
        table[FourCC("RGB4")] = .xrgb
        return table
    }()

    /// Formats with a buffer of its own for every plane.
    private static let separate: [FourCC: PixelFormat] = [
        FourCC("NM12"): .nv12, FourCC("NM21"): .nv21, FourCC("NM16"): .nv16, FourCC("YM12"): .i420,
        FourCC("YM21"): .yv12,
    ]

    /// What cameras with an encoder send.
    private static let videoFormats = [FourCC("H264"), FourCC("HEVC")]

    /// 10-bit 4:2:0, and greys of depth cameras, infrared and machine vision.
    private static let deep: [FourCC: DeepSamples] = [
        FourCC("P010"): DeepSamples(format: .nv12, bits: 16), FourCC("Y10"): DeepSamples(format: .gray, bits: 10),
        FourCC("Y12"): DeepSamples(format: .gray, bits: 12), FourCC("Y14"): DeepSamples(format: .gray, bits: 14),
        FourCC("Y16"): DeepSamples(format: .gray, bits: 16),
    ]

    /// Uncompressed formats that libv4lconvert 1.22 turns into I420: Bayer, packed greys, and odd orders.
    ///
    /// Not RGBP, whose red and blue it exchanges.
    ///
    /// Source: v4l-utils, `lib/libv4lconvert/libv4lconvert.c`, `supported_src_pixfmts`; each tried.
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

    /// Compressed formats of webcams of long ago, as libv4lconvert decodes them.
    private static let compressedLibraryFormats = Set(
        ["PJPG", "JPGL", "S561", "S910", "S501", "S505", "S508", "M310", "SONX", "P207", "KONI"].map { FourCC($0) })
}
