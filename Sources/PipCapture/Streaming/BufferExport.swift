internal import CV4L2
internal import Glibc

/// The decision whether a driver's buffers are exported to the GPU as dma-bufs.
enum BufferExport {
    case none
    case asDMABufs

    /// Decides for a camera.
    ///
    /// The CPU assembles a USB camera's frames, and its driver does not flush them from the CPU's caches: a GPU without
    /// cache coherence would read stale pixels. On machines other than PCs they are copied.
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

    /// Buffers that the GPU may still read while the rest goes round.
    var extraBuffers: Int { self == .asDMABufs ? 1 : 0 }
}

extension V4L2Device {
    /// The dma-bufs of one of the driver's buffers, one for each memory plane.
    ///
    /// - Returns: Descriptors to close; none where the driver does not export its buffers.
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
