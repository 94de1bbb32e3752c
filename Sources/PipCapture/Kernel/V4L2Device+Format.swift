internal import CV4L2
internal import PipFrames

extension V4L2Device {
    /// The present format; nil when the device has no format, or does not report it.
    @unsafe func presentFormat(_ type: v4l2_buf_type) -> v4l2_format? {
        var format = unsafe v4l2_format()
        unsafe format.type = type.rawValue
        return unsafe perform(.getFormat, &format) == nil ? format : nil
    }

    /// The present size of pictures; nil when the driver does not report it.
    func pictureSize(_ type: v4l2_buf_type) -> PixelSize? {
        // The single- and the multi-planar structure both begin with width and height.
        unsafe presentFormat(type).map { unsafe PixelSize(Int($0.fmt.pix.width), Int($0.fmt.pix.height)) }
    }
}

extension v4l2_buf_type {
    var isMultiPlanar: Bool { self == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE }
}
