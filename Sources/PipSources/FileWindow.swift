internal import CPlatform
internal import Glibc
internal import PipFrames

/// A memory-mapped part of a file: frames use the kernel's cached pages without a copy.
///
/// When the file is truncated meanwhile, or its disk fails, the missing bytes read as zeros, and ``isDamaged`` becomes
/// true.
@safe final class FileWindow: @unchecked Sendable {
    // Thread: any, because all properties are constant, and the memory is only read.
    /// The mapped range of bytes in the file; it begins at a page boundary.
    let range: Range<Int>
    private let start: UnsafeMutableRawPointer
    private let guardPlace: Int32

    /// The usual size of a mapping, in bytes: five frames of 3840×2160 in 4:2:0.
    ///
    /// The mapping for a larger frame is larger.
    private static let usualSize = 64 << 20
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Maps a part of a file that includes the requested bytes; returns nil when the file cannot be mapped.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading.
    ///   - offset: The first requested byte.
    ///   - count: The number of requested bytes.
    ///   - end: The file's size.
    init?(_ descriptor: Int32, from offset: Int, count: Int, end: Int) {
        // A file that fits into one mapping is mapped from its start, so that a looping reader needs no other mapping.
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

    /// Blocks until bytes of the file are in memory.
    ///
    /// Kernels before 5.14 only start to read the bytes, and the call returns earlier.
    ///
    /// - Parameter bytes: The range of the file, within ``range``.
    func load(_ bytes: Range<Int>) {
        let from = (bytes.lowerBound - range.lowerBound) / Self.pageSize * Self.pageSize
        let count = bytes.upperBound - range.lowerBound - from
        if unsafe madvise(start + from, count, MADV_POPULATE_READ) != 0 {
            unsafe madvise(start + from, count, MADV_WILLNEED)
        }
    }

    /// Makes the memory of a frame from mapped bytes, without a copy.
    ///
    /// - Parameters:
    ///   - offset: The frame's first byte in the file, within ``range``.
    ///   - layout: The frame's layout, without padding.
    /// - Returns: The memory, which keeps this mapping alive.
    func frame(at offset: Int, _ layout: FrameLayout) -> FrameBuffer {
        let bytes = unsafe UnsafeMutableRawBufferPointer(
            start: start + (offset - range.lowerBound), count: layout.byteCount)
        return unsafe FrameBuffer(
            planes: Array(repeating: bytes, count: layout.planes.count), backing: self)
    }
}
