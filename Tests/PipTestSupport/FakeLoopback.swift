internal import CV4L2
internal import PipCapture
internal import PipConcurrency
package import PipFrames
internal import SystemPackage

/// The state of a fake v4l2loopback device, which behaves like version 0.12 of the driver.
package struct FakeLoopback: Sendable {
    /// A frame that was written to the device.
    package struct Shown: Sendable {
        package let bytes: [UInt8]
        package let timestamp: Timestamp
    }

    /// True if the device announces only its current direction, capture or output (`exclusive_caps`).
    package var hasExclusiveCaps = true
    /// The number of buffers in use, which a reader may have reduced.
    package var usedBuffers: UInt32 = 2
    /// True while another program streams to the device.
    package var hasOtherWriter = false
    /// True if the last writer used `write`, after which a device with `exclusive_caps` no longer announces output.
    package var isStuck = false
    /// The format that the device keeps, whatever is requested; nil while no format is kept.
    package var kept: (fourCC: FourCC, size: PixelSize)?
    /// The value of the control `keep_format`.
    package var keepsFormat = false
    /// The number of bytes by which `sizeimage` and the buffers are too small.
    package var missingBytes = 0
    /// The padding of each row, in bytes.
    package var padding = 0
    /// The timestamps of the frames in the buffers; another program queues its frames in the last buffer.
    package var stamps = [Timestamp.zero, .zero]

    package private(set) var shown: [Shown] = []
    package private(set) var isStreaming = false
    package private(set) var colours: (colorspace: UInt32, matrix: UInt32, range: UInt32, transfer: UInt32)?
    package private(set) var interval: (numerator: UInt32, denominator: UInt32)?

    package init() {}

    /// The descriptor that streams to the device; nil while no program streams to the device.
    private var owner: CInt?
    private var claimant: CInt?
    private var size = PixelSize(0, 0)
    private var fourCC = FourCC("YU12")

    var capabilities: UInt32 {
        var flags = V4L2_CAP_STREAMING | V4L2_CAP_READWRITE
        if !hasExclusiveCaps || isReady { flags |= V4L2_CAP_VIDEO_CAPTURE }
        if !hasExclusiveCaps || !hasOtherWriter && !isStreaming && !isStuck { flags |= V4L2_CAP_VIDEO_OUTPUT }
        return UInt32(flags)
    }

    /// True if the device has a format for readers.
    var isReady: Bool { kept != nil || isStreaming }

    /// The size of a buffer, in bytes.
    var frameBytes: Int { max(0, layout.byteCount - missingBytes) }

    private var layout: FrameLayout {
        let format = PixelFormat.allCases.first { $0.fourCC == fourCC } ?? .rgba
        let row = FrameLayout(format, size).planes[0].rowBytes
        return FrameLayout(format, size, stride: row + padding)
    }

    @unsafe mutating func setFormat(_ argument: inout v4l2_format) -> Errno? {
        if hasExclusiveCaps, isStuck { return .invalidArgument }
        unsafe fourCC = kept?.fourCC ?? FourCC(rawValue: argument.fmt.pix.pixelformat)
        unsafe size = kept?.size ?? PixelSize(Int(argument.fmt.pix.width), Int(argument.fmt.pix.height))
        let pix = unsafe argument.fmt.pix
        colours = (pix.colorspace, pix.ycbcr_enc, pix.quantization, pix.xfer_func)
        unsafe argument.fmt.pix.pixelformat = fourCC.rawValue
        unsafe argument.fmt.pix.width = UInt32(size.width)
        unsafe argument.fmt.pix.height = UInt32(size.height)
        unsafe argument.fmt.pix.bytesperline = UInt32(layout.planes[0].strideInBytes)
        unsafe argument.fmt.pix.sizeimage = UInt32(frameBytes)
        return nil
    }

    @unsafe mutating func setParameters(_ parameters: inout v4l2_streamparm) -> Errno? {
        let fraction = unsafe parameters.parm.output.timeperframe
        interval = (fraction.numerator, fraction.denominator)
        return nil
    }

    mutating func streamOn(_ descriptor: CInt) -> Errno? {
        guard size.area > 0 else {
            claimant = descriptor
            return .invalidArgument
        }
        owner = descriptor
        isStreaming = true
        return nil
    }

    mutating func close(_ descriptor: CInt) {
        if claimant == descriptor { isStuck = false }
        if owner == descriptor { (isStreaming, owner) = (false, nil) }
    }

    /// Advances the newest timestamp if `hasOtherWriter` is set, as if the other program had queued a frame.
    mutating func advanceOtherWriter() {
        if hasOtherWriter { stamps[stamps.count - 1] = stamps[stamps.count - 1].advanced(by: .milliseconds(1)) }
    }

    mutating func show(_ bytes: [UInt8], _ timestamp: Timestamp) {
        shown.append(Shown(bytes: bytes, timestamp: timestamp))
    }
}

extension FakeNode {
    /// Answers a request to a v4l2loopback device; nil for a camera, and for `VIDIOC_QUERYCAP`.
    @unsafe mutating func answerWriter(
        _ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer
    ) -> CInt? {
        guard camera.loopback != nil, request != V4L2Request.queryCapabilities.number else { return nil }
        let result: Errno?
        switch request {
        case V4L2Request.getControl.number:
            unsafe argument.assumingMemoryBound(to: v4l2_control.self).pointee.value =
                camera.loopback?.keepsFormat == true ? 1 : 0
            result = nil
        case V4L2Request.setFormat.number:
            unsafe result = camera.loopback?.setFormat(&argument.assumingMemoryBound(to: v4l2_format.self).pointee)
        case V4L2Request.getFormat.number:
            result = camera.loopback?.isReady == true ? nil : .invalidArgument
        case V4L2Request.setParameters.number:
            unsafe result = camera.loopback?.setParameters(
                &argument.assumingMemoryBound(to: v4l2_streamparm.self).pointee)
        case V4L2Request.requestBuffers.number:
            unsafe result = requestOutputBuffers(&argument.assumingMemoryBound(to: v4l2_requestbuffers.self).pointee)
        case V4L2Request.queryBuffer.number:
            unsafe result = queryOutputBuffer(&argument.assumingMemoryBound(to: v4l2_buffer.self).pointee)
        case V4L2Request.queueBuffer.number:
            unsafe result = queueOutputBuffer(argument.assumingMemoryBound(to: v4l2_buffer.self).pointee)
        case V4L2Request.streamOn.number: result = camera.loopback?.streamOn(descriptor)
        case V4L2Request.streamOff.number: result = nil
        default: result = .inappropriateIOCTLForDevice
        }
        return result.map { -$0.rawValue } ?? 0
    }

    /// The driver always has its buffers, and a request only sets their number.
    @unsafe private mutating func requestOutputBuffers(_ request: inout v4l2_requestbuffers) -> Errno? {
        let count = min(Int(request.count), camera.bufferLimit)
        request.count = UInt32(count)
        buffers = (0..<count).map { _ in
            unsafe Buffer(planes: [Plane(length: camera.loopback?.frameBytes ?? 0, stride: 0)])
        }
        return nil
    }

    @unsafe private mutating func queryOutputBuffer(_ buffer: inout v4l2_buffer) -> Errno? {
        // If another program streams to the device, it queues a frame between two queries.
        camera.loopback?.advanceOtherWriter()
        let used = camera.loopback?.usedBuffers ?? 1
        let index = unsafe Int(buffer.index % used)
        let stamp = camera.loopback.map { $0.stamps[index % $0.stamps.count] } ?? .zero
        unsafe buffer.timestamp = timeval(
            tv_sec: Int(stamp.nanoseconds / 1_000_000_000), tv_usec: Int(stamp.nanoseconds % 1_000_000_000 / 1000))
        unsafe buffer.m.offset = UInt32(Self.offset(ofPlane: 0, of: index))
        unsafe buffer.length = UInt32(buffers.indices.contains(index) ? buffers[index].planes[0].length : 0)
        return nil
    }

    @unsafe private mutating func queueOutputBuffer(_ buffer: v4l2_buffer) -> Errno? {
        let index = unsafe Int(buffer.index % (camera.loopback?.usedBuffers ?? 1))
        guard buffers.indices.contains(index), let memory = unsafe buffers[index].planes[0].memory else {
            return .invalidArgument
        }
        let bytes = unsafe Array(memory.prefix(Int(buffer.bytesused)))
        let time = unsafe buffer.timestamp
        camera.loopback?.show(
            bytes, Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000))
        return nil
    }
}

extension FakeKernel {
    /// Plugs in a v4l2loopback device.
    package func add(_ path: String, labelled label: String, _ loopback: FakeLoopback = FakeLoopback()) {
        var camera = FakeCamera()
        camera.card = label
        camera.driver = "v4l2 loopback"
        camera.busInfo = "platform:v4l2loopback-000"
        camera.bufferLimit = 2
        camera.loopback = loopback
        add(path, camera)
    }

    /// The state of a v4l2loopback device; nil for the path of another device.
    package func loopback(_ path: String) -> FakeLoopback? { state.read { $0.nodes[path]?.camera.loopback } }
}
