internal import CPlatform
internal import Glibc
internal import PipFrames

/// A part of a file in memory, for as long as frames refer to it: the very pages that the kernel keeps of the file.
///
/// When the file is cut off meanwhile, or its disk fails, what cannot be had reads as zeros, and ``isDamaged`` tells.
@safe final class FileWindow: @unchecked Sendable {
    // Nothing of it changes, and the memory is only read.
    /// The bytes of the file that it shows; it begins with a page.
    let range: Range<Int>
    private let start: UnsafeMutableRawPointer
    private let guardPlace: Int32

    /// Bytes of a file that are mapped at once, where a frame is not larger.
    private static let usualSize = 32 << 20
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Maps what follows a byte of a file; nil where that is not possible.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading.
    ///   - offset: The first byte that is wanted.
    ///   - count: The bytes that are wanted at least.
    ///   - end: The file's size.
    init?(_ descriptor: Int32, from offset: Int, count: Int, end: Int) {
        // A file that fits whole is mapped from its start, for loops.
        let first = end <= Self.usualSize ? 0 : offset / Self.pageSize * Self.pageSize
        range = first..<min(end, max(offset + count, first + Self.usualSize))
        guard range.upperBound >= offset + count,
            let start = unsafe mmap(nil, range.count, PROT_READ, MAP_SHARED, descriptor, off_t(first)),
            unsafe start != MAP_FAILED
        else { return nil }
        unsafe self.start = unsafe start
        guardPlace = unsafe pip_guard_mapping(start, range.count)
        guard guardPlace >= 0 else {
            unsafe munmap(start, range.count)
            return nil
        }
        unsafe madvise(start, range.count, MADV_SEQUENTIAL)
    }

    deinit {
        pip_guard_end(guardPlace)
        unsafe munmap(start, range.count)
    }

    /// True when something of it could not be had.
    var isDamaged: Bool { pip_guard_has_faulted(guardPlace) }

    /// Waits until bytes are in memory; kernels before 5.14 only begin to read them.
    ///
    /// - Parameter bytes: Bytes of the file, within ``range``.
    func load(_ bytes: Range<Int>) {
        let from = (bytes.lowerBound - range.lowerBound) / Self.pageSize * Self.pageSize
        let count = bytes.upperBound - range.lowerBound - from
        if unsafe madvise(start + from, count, MADV_POPULATE_READ) != 0 {
            unsafe madvise(start + from, count, MADV_WILLNEED)
        }
    }

    /// A frame's memory.
    ///
    /// - Parameters:
    ///   - offset: Its first byte in the file, within ``range``.
    ///   - layout: Its layout, without padding.
    /// - Returns: The memory, which keeps this window alive.
    func frame(at offset: Int, _ layout: FrameLayout) -> FrameBuffer {
        let bytes = unsafe UnsafeMutableRawBufferPointer(
            start: start + (offset - range.lowerBound), count: layout.byteCount)
        return unsafe FrameBuffer(
            planes: Array(repeating: bytes, count: layout.planes.count), backing: self)
    }
}
