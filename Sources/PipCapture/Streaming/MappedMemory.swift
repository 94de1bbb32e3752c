/// The mapped planes of one of the driver's buffers; unmapped when the last frame that shows them is gone.
@safe final class MappedMemory: @unchecked Sendable {
    // Written in `init` only.
    private let planes: [UnsafeMutableRawBufferPointer]
    /// The dma-bufs of the planes, where the driver exports them.
    private let descriptors: [CInt]
    private let calls: any V4L2Calls

    /// Takes over mappings and descriptors.
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
