internal import PipFrames

/// What becomes of a driver's pixel format.
enum DeviceFormat: Equatable {
    /// Used as it lies in memory.
    ///
    /// - memoryPlanes: How many buffers hold a frame: 1, or one for each plane.
    case native(PixelFormat, memoryPlanes: Int)
    /// Decoded to I420.
    case jpeg
    /// Converted to I420 by libv4lconvert.
    case convertible

    /// nil for a format that nobody here understands.
    init?(_ fourCC: FourCC) {
        if let format = Self.contiguous[fourCC] {
            self = .native(format, memoryPlanes: 1)
        } else if let format = Self.separate[fourCC] {
            self = .native(format, memoryPlanes: format.planeCount)
        } else if fourCC == FourCC("MJPG") || fourCC == FourCC("JPEG") {
            self = .jpeg
        } else if Self.libraryFormats.contains(fourCC) {
            self = .convertible
        } else {
            return nil
        }
    }

    /// What it costs to use frames of this format, in steps: lower is better.
    ///
    /// 4:2:0 is what encoders want; 4:2:2 is a third more bytes; MJPEG costs the decoding; RGB is twice the bytes; the library
    /// works on one core; grey has lost the colour.
    var cost: Int {
        switch self {
        case .native(let format, _):
            if format == .gray { return 5 }
            if format.family == .rgb { return 3 }
            return format.chromaSubsampling.y == 2 ? 0 : 1
        case .jpeg: return 2
        case .convertible: return 4
        }
    }

    /// Bits of memory for a pixel, to tell formats of equal cost apart.
    var bitsPerPixel: Int {
        guard case .native(let format, _) = self else { return 0 }
        return FrameLayout(format, PixelSize(2, 2)).payloadByteCount * 2
    }

    /// The format of the frames that are delivered.
    var delivered: PixelFormat {
        guard case .native(let format, _) = self else { return .i420 }
        return format
    }

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

    /// What libv4lconvert 1.22 turns into I420 and no driver of today offers in a better form.
    ///
    /// Source: v4l-utils, `lib/libv4lconvert/libv4lconvert.c`, `supported_src_pixfmts`; each tried.
    private static let libraryFormats = Set(
        [
            "BA81", "GBRG", "GRBG", "RGGB", "BG10", "GB10", "BA10", "RG10", "pBAA", "pGAA", "pgAA", "pRAA", "BYR2",
            "RG16", "Y10B", "Y16 ", "RGBP", "NV61", "M420", "HM12", "HSV3", "HSV4", "PJPG", "JPGL", "S561", "S910",
            "S501", "S505", "S508", "M310", "SONX", "P207", "KONI",
        ].map { FourCC($0) })
}
