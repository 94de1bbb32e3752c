internal import CPlatform
internal import Glibc
internal import PipFrames

/// A memory-mapped part of a file, which frames refer to: the kernel's own cached pages.
///
/// When the file is truncated meanwhile, or its disk fails, missing bytes read as zeros, and ``isDamaged`` becomes
/// true.
@safe final class FileWindow: @unchecked Sendable {
    // All properties are constant, and the memory is only read.
    /// The mapped range of the file, which begins on a page.
    let range: Range<Int>
    private let start: UnsafeMutableRawPointer
    private let guardPlace: Int32

    /// The usual size of a mapping; a larger frame takes more.
    private static let usualSize = 32 << 20
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Maps the bytes from an offset on; fails where mapping is impossible.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading.
    ///   - offset: The first byte to map.
    ///   - count: The least number of bytes to map.
    ///   - end: The file's size.
    init?(_ descriptor: Int32, from offset: Int, count: Int, end: Int) {
        // A file that fits whole is mapped from its start, which serves loops.
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

    /// True when some mapped bytes could not be read.
    var isDamaged: Bool { pip_guard_has_faulted(guardPlace) }

    /// Blocks until bytes are in memory.
    ///
    /// Kernels before 5.14 only start to read them.
    ///
    /// - Parameter bytes: The range of the file, within ``range``.
    func load(_ bytes: Range<Int>) {
        let from = (bytes.lowerBound - range.lowerBound) / Self.pageSize * Self.pageSize
        let count = bytes.upperBound - range.lowerBound - from
        if unsafe madvise(start + from, count, MADV_POPULATE_READ) != 0 {
            unsafe madvise(start + from, count, MADV_WILLNEED)
        }
    }

    /// Makes a frame's memory.
    ///
    /// - Parameters:
    ///   - offset: The frame's first byte in the file, within ``range``.
    ///   - layout: The frame's layout, without padding.
    /// - Returns: The memory, which keeps this window alive.
    func frame(at offset: Int, _ layout: FrameLayout) -> FrameBuffer {
        let bytes = unsafe UnsafeMutableRawBufferPointer(
            start: start + (offset - range.lowerBound), count: layout.byteCount)
        return unsafe FrameBuffer(
            planes: Array(repeating: bytes, count: layout.planes.count), backing: self)
    }
}
