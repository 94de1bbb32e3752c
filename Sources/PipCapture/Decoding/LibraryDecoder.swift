internal import CV4L2
internal import CV4LConvert
internal import Glibc
internal import PipFrames

/// Converts camera-specific formats (Bayer, packed grey, formats of old webcams) to I420 with libv4lconvert.
///
/// The decoded frames are BT.601 in limited range. The library accesses the device through ``V4L2Calls``.
@safe final class LibraryDecoder: FrameDecoder {
    private let converter: OpaquePointer
    private let operations: UnsafeMutablePointer<libv4l_dev_ops>
    private let device: V4L2Device
    private var source = unsafe v4l2_format()
    private var target = unsafe v4l2_format()

    /// Creates the library's converter; returns nil when the library refuses the device.
    init?(_ device: V4L2Device, _ format: v4l2_pix_format) {
        let operations = UnsafeMutablePointer<libv4l_dev_ops>.allocate(capacity: 1)
        unsafe operations.initialize(to: Self.operations)
        // The stored `device` outlives the converter's pointer to it.
        let context = unsafe Unmanaged.passUnretained(device).toOpaque()
        guard let converter = unsafe v4lconvert_create_with_dev_ops(device.descriptor, context, operations) else {
            unsafe operations.deallocate()
            return nil
        }
        unsafe self.converter = unsafe converter
        unsafe self.operations = unsafe operations
        self.device = device
        unsafe source.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        unsafe source.fmt.pix = format
        unsafe target.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        unsafe target.fmt.pix.width = format.width
        unsafe target.fmt.pix.height = format.height
        unsafe target.fmt.pix.pixelformat = PixelFormat.i420.fourCC.rawValue
        unsafe target.fmt.pix.field = format.field
        unsafe target.fmt.pix.bytesperline = format.width
        unsafe target.fmt.pix.sizeimage = format.width * format.height * 3 / 2
    }

    deinit {
        unsafe v4lconvert_destroy(converter)
        unsafe operations.deallocate()
    }

    @unsafe func decode(_ bytes: UnsafeRawBufferPointer, into frame: FrameBuffer, _ layout: FrameLayout) -> Bool {
        let memory = unsafe frame.mutableBytes(ofPlane: 0)
        let pixels = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        let result = unsafe v4lconvert_convert(
            converter, &source, &target, pixels, CInt(bytes.count),
            memory.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(memory.count))
        return Int(result) == layout.payloadByteCount
    }

    private static var operations: libv4l_dev_ops {
        var operations = libv4l_dev_ops()
        unsafe operations.`init` = { _ in nil }
        unsafe operations.close = { _ in }
        unsafe operations.ioctl = { context, descriptor, request, argument in
            guard let context = unsafe context, let argument = unsafe argument else {
                errno = EINVAL
                return -1
            }
            let device = unsafe Unmanaged<V4L2Device>.fromOpaque(context).takeUnretainedValue()
            let result = unsafe device.calls.control(descriptor, request, argument)
            guard result < 0 else { return result }
            errno = -result
            return -1
        }
        return operations
    }
}
