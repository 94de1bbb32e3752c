/// The mapped planes of one of the driver's buffers; unmapped when the last frame that shows them is gone.
@safe final class MappedMemory: @unchecked Sendable {
    // Written in `init` only.
    private let planes: [UnsafeMutableRawBufferPointer]
    private let calls: any V4L2Calls

    /// Takes over mappings.
    @unsafe init(planes: [UnsafeMutableRawBufferPointer], calls: any V4L2Calls) {
        unsafe self.planes = unsafe planes
        self.calls = calls
    }

    deinit {
        for index in unsafe planes.indices { unsafe calls.unmap(planes[index]) }
    }
}
