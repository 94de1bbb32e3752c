internal import CV4L2
internal import Glibc

/// The choice to export a driver's buffers as dma-bufs, so that the GPU reads frames without a copy.
enum BufferExport {
    case none
    case asDMABufs

    /// Decides whether a camera's buffers are exported.
    ///
    /// The CPU assembles the frames of a USB camera, and the driver does not flush the CPU's caches afterwards. A GPU
    /// without cache coherence would read stale pixels, so machines other than PCs copy such frames.
    ///
    /// - Parameters:
    ///   - isWanted: True when the renderer can import dma-bufs.
    ///   - device: The camera.
    init(isWanted: Bool, for device: CameraDevice) {
        #if arch(x86_64)
        let isCoherent = true
        #else
        let isCoherent = device.usb == nil
        #endif
        self = isWanted && isCoherent ? .asDMABufs : .none
    }

    /// The number of additional buffers to request, because the GPU reads exported buffers longer than a copy takes.
    var extraBuffers: Int { self == .asDMABufs ? 1 : 0 }
}

extension V4L2Device {
    /// Exports one of the driver's buffers, as a dma-buf for each memory plane.
    ///
    /// - Returns: Descriptors, which the caller must close; empty when the driver does not export buffers.
    func export(buffer index: Int, _ type: v4l2_buf_type, memoryPlanes: Int) -> [CInt] {
        var descriptors: [CInt] = []
        for plane in 0..<memoryPlanes {
            var request = v4l2_exportbuffer()
            request.type = type.rawValue
            request.index = UInt32(index)
            request.plane = UInt32(plane)
            request.flags = UInt32(bitPattern: O_RDONLY | O_CLOEXEC)
            guard perform(.exportBuffer, &request) == nil, request.fd >= 0 else {
                for descriptor in descriptors { calls.close(descriptor) }
                return []
            }
            descriptors.append(request.fd)
        }
        return descriptors
    }
}
