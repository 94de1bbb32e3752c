/// The mapped planes of one of the driver's buffers, unmapped when the last frame on them is released.
@safe final class MappedMemory: @unchecked Sendable {
    // Only `init` writes the properties.
    private let planes: [UnsafeMutableRawBufferPointer]
    /// The dma-bufs of the planes; empty where the driver does not export buffers.
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
