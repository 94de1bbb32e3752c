/// The mapped planes of one of the driver's buffers, unmapped when the last frame that uses them is released.
@safe final class MappedMemory: @unchecked Sendable {
    // Thread: any, because the properties are constant.
    private let planes: [UnsafeMutableRawBufferPointer]
    /// The descriptors of the planes' dma-bufs; empty when the buffer is not exported.
    private let descriptors: [CInt]
    private let calls: any V4L2Calls

    /// Takes ownership of mappings and descriptors.
    @unsafe init(planes: [UnsafeMutableRawBufferPointer], descriptors: [CInt], calls: any V4L2Calls) {
        unsafe self.planes = unsafe planes
        self.descriptors = descriptors
        self.calls = calls
    }

    deinit {
        for index in unsafe planes.indices { unsafe calls.unmap(planes[index]) }
        for descriptor in descriptors { calls.close(descriptor) }
    }
}
