internal import CV4L2
internal import PipFrames

/// The format in a driver's answer to `VIDIOC_S_FMT`, `VIDIOC_G_FMT` or `VIDIOC_TRY_FMT`, single- or multi-planar.
struct DriverSettings {
    let size: PixelSize
    let fourCC: UInt32
    private(set) var planes: [MemoryPlane]
    let colorimetry: DriverColorimetry
    /// The driver's answer in single-planar form, with the stride and the byte count of the first memory plane.
    private(set) var pixelFormat: v4l2_pix_format

    init(_ pix: v4l2_pix_format) {
        size = PixelSize(Int(pix.width), Int(pix.height))
        fourCC = pix.pixelformat
        planes = [MemoryPlane(strideInBytes: Int(pix.bytesperline), sizeInBytes: Int(pix.sizeimage))]
        // Without the magic number, the driver has not set the fields after `priv`.
        let isExtended = pix.priv == UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
        colorimetry = DriverColorimetry(
            colorspace: pix.colorspace, matrix: isExtended ? pix.ycbcr_enc : 0,
            range: isExtended ? pix.quantization : 0, transfer: isExtended ? pix.xfer_func : 0)
        pixelFormat = pix
    }

    init(_ pix: v4l2_pix_format_mplane) {
        size = PixelSize(Int(pix.width), Int(pix.height))
        fourCC = pix.pixelformat
        let all = [pix.plane_fmt.0, pix.plane_fmt.1, pix.plane_fmt.2, pix.plane_fmt.3]
        planes = all.prefix(max(1, Int(pix.num_planes))).map {
            MemoryPlane(strideInBytes: Int($0.bytesperline), sizeInBytes: Int($0.sizeimage))
        }
        colorimetry = DriverColorimetry(
            colorspace: pix.colorspace, matrix: UInt32(pix.ycbcr_enc), range: UInt32(pix.quantization),
            transfer: UInt32(pix.xfer_func))
        var single = v4l2_pix_format()
        single.width = pix.width
        single.height = pix.height
        single.pixelformat = pix.pixelformat
        single.field = pix.field
        single.bytesperline = pix.plane_fmt.0.bytesperline
        single.sizeimage = pix.plane_fmt.0.sizeimage
        single.colorspace = pix.colorspace
        pixelFormat = single
    }

    /// V4L2's `field`: progressive or interlaced, and the arrangement of the fields.
    var field: UInt32 { pixelFormat.field }

    /// The size of an uncompressed frame.
    ///
    /// Units: bytes.
    func rawByteCount(_ raw: DeviceFormat.RawBits) -> Int {
        planes[0].strideInBytes * size.height * raw.total / raw.row
    }

    /// Raises a stride of 0, or shorter than a row, to the length of a row, because libv4lconvert needs the stride.
    mutating func completeStride(_ raw: DeviceFormat.RawBits) {
        let least = (size.width * raw.row).dividedUp(by: 8)
        planes[0].strideInBytes = max(planes[0].strideInBytes, least)
        pixelFormat.bytesperline = UInt32(clamping: planes[0].strideInBytes)
    }
}

/// The row stride and the size of one memory plane, as the driver reports them.
struct MemoryPlane: Equatable {
    var strideInBytes: Int
    var sizeInBytes: Int
}
