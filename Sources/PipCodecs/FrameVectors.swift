package import Glibc
package import PipFrames

/// The bytes of a frame, without padding and in the order in which files hold them, as a list for `readv` and `writev`.
///
/// Used again for every frame: rows that lie one after the other are one entry, so that a frame without padding is a
/// single one.
@safe package struct FrameVectors: ~Copyable {
    private var entries: [iovec] = unsafe []
    private var first = 0
    /// Bytes that are still to be transferred.
    package private(set) var remaining = 0

    /// The most entries that the kernel takes at once (`IOV_MAX`).
    private static let batch = 1024

    package init() {}

    /// Starts over.
    package mutating func removeAll() {
        unsafe entries.removeAll(keepingCapacity: true)
        first = 0
        remaining = 0
    }

    /// Adds bytes to be transferred; they must live until they are.
    @unsafe package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        remaining += bytes.count
        if let last = unsafe entries.last, let base = unsafe last.iov_base, unsafe base + last.iov_len == start {
            unsafe entries[entries.count - 1].iov_len += bytes.count
        } else {
            unsafe entries.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: start), iov_len: bytes.count))
        }
    }

    /// Adds the bytes of a buffer, which must neither change nor go until they are transferred.
    package mutating func append(_ buffer: ByteBuffer) {
        buffer.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe append($0) } }
    }

    /// Adds a frame's planes, which must neither change nor go until they are transferred.
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

    /// Lends what is left to one call of `readv` or `writev`.
    ///
    /// - Parameter body: Gets the entries and returns the call's result.
    /// - Returns: That result; when it is a count of bytes, they are taken off.
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
