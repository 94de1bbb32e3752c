/// A pixel format in which sources may deliver frames, and which renderers read without conversion.
///
/// The names of RGB formats give the order of bytes in memory: `bgrx` has blue at the lowest address and an unused byte
/// last.
public enum PixelFormat: String, CaseIterable, Sendable {
    case nv12, nv21, nv16, i420, yv12
    case yuyv, uyvy, yvyu, vyuy
    case gray
    case rgb24, bgr24
    case rgba, bgra, argb, abgr
    case rgbx, bgrx, xrgb, xbgr

    /// The arrangement of samples in planes, which selects the shader code that reads the samples.
    public enum Family: Sendable {
        /// A plane of luma and a plane of chroma pairs.
        case semiplanar
        /// Three planes: luma, Cb and Cr, or for `yv12` luma, Cr and Cb.
        case planar
        /// One plane with two luma samples and one chroma pair in four bytes.
        case packed422
        /// One plane of luma.
        case luma
        /// One plane with three or four bytes per pixel.
        case rgb
    }

    /// The arrangement of samples in planes.
    public var family: Family {
        switch self {
        case .nv12, .nv21, .nv16: .semiplanar
        case .i420, .yv12: .planar
        case .yuyv, .uyvy, .yvyu, .vyuy: .packed422
        case .gray: .luma
        default: .rgb
        }
    }

    /// True for Y'CbCr and grey, false for RGB.
    public var isYUV: Bool { family != .rgb }

    /// True when pixels have an alpha channel; false for the unused byte of formats such as `rgbx`.
    public var hasAlpha: Bool {
        switch self {
        case .rgba, .bgra, .argb, .abgr: true
        default: false
        }
    }

    /// The number of luma samples, across and down, for one chroma sample.
    ///
    /// (2, 2) in 4:2:0; (1, 1) for RGB and grey.
    public var chromaSubsampling: (x: Int, y: Int) {
        switch self {
        case .nv12, .nv21, .i420, .yv12: (2, 2)
        case .nv16, .yuyv, .uyvy, .yvyu, .vyuy: (2, 1)
        default: (1, 1)
        }
    }

    /// The number of planes of a frame in this format.
    public var planeCount: Int {
        switch family {
        case .semiplanar: 2
        case .planar: 3
        case .packed422, .luma, .rgb: 1
        }
    }

    /// The number of bytes in a column of a plane: a sample, a chroma pair, a pixel, or a 4:2:2 macropixel of two
    /// pixels.
    public func bytesPerColumn(ofPlane plane: Int) -> Int {
        switch self {
        case .nv12, .nv21, .nv16: plane == 0 ? 1 : 2
        case .i420, .yv12, .gray: 1
        case .rgb24, .bgr24: 3
        default: 4
        }
    }

    /// The number of columns and rows of a plane, for a picture of `size`.
    ///
    /// Halves of odd sizes are rounded up.
    public func dimensions(ofPlane plane: Int, for size: PixelSize) -> PixelSize {
        switch family {
        case .packed422: return PixelSize(size.width.dividedUp(by: 2), size.height)
        case .luma, .rgb: return size
        case .semiplanar, .planar:
            if plane == 0 { return size }
            let (x, y) = chromaSubsampling
            return PixelSize(size.width.dividedUp(by: x), size.height.dividedUp(by: y))
        }
    }

    /// V4L2's code for this format in its single-buffer variant.
    ///
    /// Source: Linux userspace API, "Image Formats".
    public var fourCC: FourCC {
        switch self {
        case .nv12: FourCC("NV12")
        case .nv21: FourCC("NV21")
        case .nv16: FourCC("NV16")
        case .i420: FourCC("YU12")
        case .yv12: FourCC("YV12")
        case .yuyv: FourCC("YUYV")
        case .uyvy: FourCC("UYVY")
        case .yvyu: FourCC("YVYU")
        case .vyuy: FourCC("VYUY")
        case .gray: FourCC("GREY")
        case .rgb24: FourCC("RGB3")
        case .bgr24: FourCC("BGR3")
        case .rgba: FourCC("AB24")
        case .bgra: FourCC("AR24")
        case .argb: FourCC("BA24")
        case .abgr: FourCC("RA24")
        case .rgbx: FourCC("XB24")
        case .bgrx: FourCC("XR24")
        case .xrgb: FourCC("BX24")
        case .xbgr: FourCC("RX24")
        }
    }
}
