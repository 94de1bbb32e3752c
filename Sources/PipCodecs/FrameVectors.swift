package import Glibc
package import PipFrames

/// The unpadded bytes of a frame in file order, as a list for `readv` and `writev`.
///
/// The list can be reused for every frame. Contiguous rows share an entry.
@safe package struct FrameVectors: ~Copyable {
    private var entries: [iovec] = unsafe []
    private var first = 0
    /// The number of bytes still to transfer.
    package private(set) var remaining = 0

    /// The most entries that the kernel accepts at once (`IOV_MAX`).
    private static let batch = 1024

    package init() {}

    /// Removes all entries, and keeps the list's memory for the next frame.
    package mutating func removeAll() {
        unsafe entries.removeAll(keepingCapacity: true)
        first = 0
        remaining = 0
    }

    /// Appends bytes, whose memory must stay valid until `readv` or `writev` has transferred them.
    @unsafe package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        remaining += bytes.count
        if let last = unsafe entries.last, let base = unsafe last.iov_base, unsafe base + last.iov_len == start {
            unsafe entries[entries.count - 1].iov_len += bytes.count
        } else {
            unsafe entries.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: start), iov_len: bytes.count))
        }
    }

    /// Appends the filled bytes of a buffer, which must keep its contents until the bytes are transferred.
    package mutating func append(_ buffer: ByteBuffer) {
        buffer.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe append($0) } }
    }

    /// Appends a frame's rows, plane by plane; the frame's memory must stay valid until the rows are transferred.
    package mutating func append(_ buffer: FrameBuffer, _ layout: FrameLayout) {
        for index in layout.planes.indices {
            let plane = layout.planes[index]
            let bytes = unsafe buffer.bytes(ofPlane: index)
            for row in 0..<plane.dimensions.height {
                let start = plane.offset + row * plane.strideInBytes
                unsafe append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + plane.rowBytes]))
            }
        }
    }

    /// Passes at most ``batch`` entries to one call of `readv` or `writev`, and removes the bytes that it transfers.
    ///
    /// - Parameter body: Calls `readv` or `writev` with the entries, and returns its result.
    /// - Returns: The result of the call: the number of transferred bytes, or -1.
    @unsafe package mutating func transfer(_ body: (UnsafePointer<iovec>?, Int32) -> Int) -> Int {
        let count = min(unsafe entries.count - first, Self.batch)
        let done = unsafe entries.withUnsafeBufferPointer { entries in
            unsafe body(entries.baseAddress.map { unsafe $0 + first }, Int32(count))
        }
        if done > 0 { skip(done) }
        return done
    }

    private mutating func skip(_ count: Int) {
        remaining -= count
        var left = count
        while left > 0, unsafe first < entries.count {
            let length = unsafe entries[first].iov_len
            guard left < length else {
                left -= length
                first += 1
                continue
            }
            unsafe entries[first].iov_base = entries[first].iov_base.map { unsafe $0 + left }
            unsafe entries[first].iov_len = length - left
            left = 0
        }
    }
}
