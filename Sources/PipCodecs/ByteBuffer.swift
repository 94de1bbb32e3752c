/// A growing buffer for encoded bytes, which can be reused for the next picture.
///
/// Thread: any, but one at a time.
@safe package final class ByteBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of filled bytes.
    package private(set) var count = 0

    package init(capacity: Int = 0) {
        unsafe memory = .allocate(byteCount: max(capacity, 1), alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    /// Calls `body` with the filled bytes, which `body` must not keep.
    package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        let filled = unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
        return try unsafe body(filled.bytes)
    }

    /// Replaces the contents by the bytes that `body` writes.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes that `body` needs.
    ///   - body: Receives at least `capacity` bytes, fills them from the start, and returns the number of filled bytes.
    /// - Throws: The error of `body`; then the buffer is empty.
    @unsafe package func fill<E: Error>(
        capacity: Int, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        reserve(capacity, keeping: 0)
        count = 0
        count = try unsafe body(memory)
    }

    package func removeAll() { count = 0 }

    /// Appends a text as UTF-8.
    package func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
    }

    @unsafe package func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(count + bytes.count, keeping: count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    private func reserve(_ capacity: Int, keeping kept: Int) {
        guard unsafe memory.count < capacity else { return }
        let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(capacity, 2 * memory.count), alignment: 64)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<kept]))
        unsafe memory.deallocate()
        unsafe memory = larger
    }
}
