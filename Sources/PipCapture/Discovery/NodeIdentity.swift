internal import CV4L2
internal import PipFrames
internal import SystemPackage

/// The answer to `VIDIOC_QUERYCAP` from a node that can stream captured video.
package struct NodeIdentity {
    let card: String
    let driver: String
    let busInfo: String
    /// The type of the node's buffers: single- or multi-planar capture.
    let bufferType: v4l2_buf_type

    /// Queries the node and checks that it captures video.
    ///
    /// - Throws: ``CaptureError``: kind `notACamera` for a node of another kind, which the reason names; other kinds
    ///   mean
    ///   a failed query.
    init(_ device: V4L2Device) throws(CaptureError) {
        var capability = v4l2_capability()
        if let errno = device.perform(.queryCapabilities, &capability) {
            guard errno != .inappropriateIOCTLForDevice, errno != .invalidArgument else {
                throw Self.refusal(device.path, "its driver is not a video driver")
            }
            throw device.error(.queryCapabilities, errno, "query the device")
        }
        let hasNodeCapabilities = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let node = hasNodeCapabilities ? capability.device_caps : capability.capabilities
        func has(_ flags: Int32...) -> Bool { flags.contains { node & UInt32(bitPattern: $0) != 0 } }

        if has(V4L2_CAP_VIDEO_M2M, V4L2_CAP_VIDEO_M2M_MPLANE) {
            throw Self.refusal(device.path, "it is a codec or a converter")
        }
        guard has(V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_CAPTURE_MPLANE) else {
            let what =
                if has(V4L2_CAP_VIDEO_OUTPUT, V4L2_CAP_VIDEO_OUTPUT_MPLANE) {
                    "it is an output: programs write frames to it, and cannot read frames"
                } else if has(V4L2_CAP_META_CAPTURE) {
                    "it delivers metadata; the camera's pictures come from a neighbouring node"
                } else {
                    "it does not capture video"
                }
            throw Self.refusal(device.path, what)
        }
        guard has(V4L2_CAP_STREAMING) else {
            throw Self.refusal(device.path, "it cannot stream into memory (V4L2_CAP_STREAMING)")
        }
        bufferType = has(V4L2_CAP_VIDEO_CAPTURE) ? V4L2_BUF_TYPE_VIDEO_CAPTURE : V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
        card = text(of: capability.card)
        driver = text(of: capability.driver)
        // A loopback device has no format, and cannot be read, until a program writes to it.
        if driver == Self.loopbackDriver, unsafe device.presentFormat(bufferType) == nil {
            throw Self.refusal(device.path, "it is a virtual camera, and no program writes to it")
        }
        busInfo = text(of: capability.bus_info)
    }

    /// The driver name of v4l2loopback's devices.
    package static let loopbackDriver = "v4l2 loopback"

    private static func refusal(_ path: String, _ reason: String) -> CaptureError {
        CaptureError(.notACamera, device: path, operation: "use it as a camera", reason: reason)
    }
}

/// The text in a fixed-size character array of a kernel structure, up to the first zero byte and trimmed.
package func text<Characters>(of characters: Characters) -> String {
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).trimmed
    }
}
