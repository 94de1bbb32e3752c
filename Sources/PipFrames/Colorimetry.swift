/// The colour encoding of a frame: matrix, range, primaries, transfer function and chroma siting.
///
/// Differences between source and canvas in matrix and range are always converted. A difference in siting may be
/// ignored for a picture that is drawn at its own size. Primaries and transfer function are converted for wide colours
/// and high dynamic range: BT.2020, P3, PQ and HLG. Other primaries and transfer functions are passed on unconverted.
public struct Colorimetry: Hashable, Sendable {
    /// The matrix between R'G'B' and Y'CbCr.
    public var matrix: ColorMatrixStandard
    /// The code values that stand for black and white: limited or full range.
    public var range: QuantizationRange
    /// The chromaticities of the primaries.
    public var primaries: ColorPrimaries
    /// The function between light and code values.
    public var transfer: TransferFunction
    /// The position of a chroma sample among its luma samples.
    public var chromaSiting: ChromaSiting

    /// Creates a colour encoding.
    ///
    /// - Parameters:
    ///   - matrix: The matrix between R'G'B' and Y'CbCr.
    ///   - range: Limited (video) or full range.
    ///   - primaries: The chromaticities of the primaries.
    ///   - transfer: The function between light and code values.
    ///   - chromaSiting: The position of a subsampled chroma sample among its luma samples.
    public init(
        matrix: ColorMatrixStandard, range: QuantizationRange, primaries: ColorPrimaries = .bt709,
        transfer: TransferFunction = .bt709, chromaSiting: ChromaSiting = .center
    ) {
        self.matrix = matrix
        self.range = range
        self.primaries = primaries
        self.transfer = transfer
        self.chromaSiting = chromaSiting
    }

    /// The encoding of standard-definition video: BT.601, limited range.
    public static let bt601 = Colorimetry(matrix: .bt601, range: .limited, primaries: .smpte170m)
    /// The encoding of high-definition video: BT.709, limited range.
    public static let bt709 = Colorimetry(matrix: .bt709, range: .limited)
    /// The encoding of JPEG files and MJPEG cameras: BT.601, full range, sRGB (JFIF).
    public static let jpeg = Colorimetry(matrix: .bt601, range: .full, transfer: .srgb)
    /// The encoding of RGB pictures: sRGB, full range.
    ///
    /// The matrix is BT.709, whose weights define luma.
    public static let srgb = Colorimetry(matrix: .bt709, range: .full, transfer: .srgb)
}

/// A standard matrix between R'G'B' and Y'CbCr.
public enum ColorMatrixStandard: String, Sendable, CaseIterable {
    case bt601, bt709, bt2020, smpte240m

    /// The weights of red and blue in luma; green's weight is 1 minus both.
    ///
    /// Source: ITU-R BT.601-7 2.5.1, BT.709-6 3.2, BT.2020-2 table 4, SMPTE 240M.
    public var lumaWeights: (red: Double, blue: Double) {
        switch self {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        case .smpte240m: (0.212, 0.087)
        }
    }
}

/// The range of code values that 8-bit samples use.
public enum QuantizationRange: String, Sendable, CaseIterable {
    /// Limited range: 16…235 for luma, 16…240 for chroma.
    case limited
    /// Full range: 0…255.
    case full
}

/// The chromaticities of the three primaries, by the standard that defines them.
public enum ColorPrimaries: String, Sendable, CaseIterable {
    case bt709, smpte170m, bt470bg, smpte240m, bt2020, dciP3, adobeRGB
}

/// The function between light and code values, by the standard that defines it.
public enum TransferFunction: String, Sendable, CaseIterable {
    case bt709, srgb, adobeRGB, smpte240m, linear, dciP3, smpte2084, hlg
}

/// The position of a chroma sample among its luma samples.
public enum ChromaSiting: String, Sendable, CaseIterable {
    /// The centre of the luma samples, as in JPEG and in V4L2's documentation.
    case center
    /// The left luma column, halfway between two rows, as in MPEG-2 and H.264.
    case left
    /// The upper left luma sample, as in BT.2020.
    case topLeft

    /// The offset from the centre to the chroma sample, to the left and upwards, in luma samples.
    package var offset: (x: Double, y: Double) {
        switch self {
        case .center: (0, 0)
        case .left: (0.5, 0)
        case .topLeft: (0.5, 0.5)
        }
    }
}
