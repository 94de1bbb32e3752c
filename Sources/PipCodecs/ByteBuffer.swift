/// A growing buffer for encoded bytes, reused for the next picture.
///
/// Thread: one at a time.
@safe package final class ByteBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of filled bytes.
    package private(set) var count = 0

    package init(capacity: Int = 0) {
        unsafe memory = .allocate(byteCount: max(capacity, 1), alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    /// Lends the filled bytes.
    package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        let filled = unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
        return try unsafe body(filled.bytes)
    }

    /// Lends all memory to a function that fills it from the start.
    ///
    /// - Parameters:
    ///   - capacity: The bytes that `body` needs.
    ///   - body: A function that receives at least `capacity` bytes, and returns the number that it has filled.
    /// - Throws: The error of `body`; then the buffer is empty.
    @unsafe package func fill<E: Error>(
        capacity: Int, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        reserve(capacity, keeping: 0)
        count = 0
        count = try unsafe body(memory)
    }

    package func removeAll() { count = 0 }

    /// Adds the bytes of a text.
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
