internal import Glibc
internal import PipCodecs
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// A file or pipe that is read from its beginning to its end.
struct InputFile: ~Copyable {
    let name: String
    /// The size in bytes at opening; nil for pipes, sockets and devices.
    let size: Int?
    private let descriptor: Descriptor
    /// The interruption that cancels waits for a pipe.
    var interruption: Interruption
    /// The present mapping; nil before the first mapped frame, and when the file cannot be mapped.
    private var window: FileWindow?
    /// The offset of the end of the bytes that ``window`` has loaded.
    private var loadedEnd = 0

    /// An open descriptor, which is closed with this value unless it is the standard input.
    private struct Descriptor: ~Copyable {
        let value: Int32
        let isOwner: Bool

        deinit {
            if isOwner { close(value) }
        }
    }

    /// The result of a read.
    enum Outcome: Equatable {
        /// All requested bytes were read.
        case complete
        /// The file ended, or the wait was cancelled, after the given number of bytes.
        case ended(after: Int)
    }

    /// Opens a file for reading, without waiting for a pipe's writer.
    ///
    /// The path `-` means the standard input.
    ///
    /// - Throws: ``SourceError`` when the file cannot be opened, or is a folder.
    init(path: String, interruption: Interruption) throws(SourceError) {
        let name = path == "-" ? "standard input" : path
        let descriptor: Descriptor
        if path == "-" {
            descriptor = Descriptor(value: STDIN_FILENO, isOwner: false)
        } else {
            // With `O_NONBLOCK`, the opening of a pipe does not wait for a writer. Regular files ignore the flag.
            let opened = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            guard opened >= 0 else { throw SourceError(name, "open", Errno(rawValue: errno)) }
            descriptor = Descriptor(value: opened, isOwner: true)
        }
        var status = stat()
        guard unsafe fstat(descriptor.value, &status) == 0 else {
            throw SourceError(name, "open", Errno(rawValue: errno))
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else {
            throw SourceError(name, "open", .invalidOptions, "it is a folder; name a file in it")
        }
        posix_fadvise(descriptor.value, 0, 0, POSIX_FADV_SEQUENTIAL)
        self.init(name, size: kind == S_IFREG ? Int(status.st_size) : nil, descriptor, interruption)
    }

    private init(_ name: String, size: Int?, _ descriptor: consuming Descriptor, _ interruption: Interruption) {
        self.name = name
        self.size = size
        self.descriptor = descriptor
        self.interruption = interruption
    }

    /// True for regular files, which can be rewound.
    var isSeekable: Bool { size != nil }

    /// Throws unless the file can be rewound to be read again.
    func requireLoop() throws(SourceError) {
        guard isSeekable else {
            throw SourceError(
                name, "loop", .invalidOptions, "only a regular file can be read again, not a pipe or a device")
        }
    }

    /// True when no byte of a seekable file is left to read.
    var isAtEnd: Bool { offset >= currentSize }

    /// The offset of the next byte to read.
    private var offset: Int { Int(lseek(descriptor.value, 0, SEEK_CUR)) }

    /// The present size of the file in bytes, which may differ from ``size``; 0 when it cannot be determined.
    private var currentSize: Int {
        var status = stat()
        return unsafe fstat(descriptor.value, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Seeks to the byte at `offset`.
    ///
    /// Valid for seekable files only.
    func seek(to offset: Int) throws(SourceError) {
        guard lseek(descriptor.value, off_t(offset), SEEK_SET) >= 0 else {
            throw SourceError(name, "seek to byte \(offset)", Errno(rawValue: errno))
        }
    }

    /// Reads until all memory in the list of vectors is filled, the file ends, or the wait is cancelled.
    func read(_ vectors: inout FrameVectors, _ operation: @autoclosure () -> String) throws(SourceError) -> Outcome {
        let wanted = vectors.remaining
        var isOver = false
        while vectors.remaining > 0, !isOver {
            let count = try readOnce(operation) {
                unsafe vectors.transfer { entries, count in unsafe readv(descriptor.value, entries, count) }
            }
            isOver = count == nil
        }
        return vectors.remaining == 0 ? .complete : .ended(after: wanted - vectors.remaining)
    }

    /// Reads bytes until the buffer is full.
    ///
    /// - Returns: The number of bytes read; fewer than requested only at the end, or when cancelled.
    @unsafe func read(
        _ bytes: UnsafeMutableRawBufferPointer, _ operation: @autoclosure () -> String
    ) throws(SourceError) -> Int {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = try readOnce(operation) { unsafe Glibc.read(descriptor.value, rest.baseAddress, rest.count) }
            guard let count else { break }
            done += count
        }
        return done
    }

    /// Performs a system call that reads bytes; for a pipe, first waits until the pipe has bytes to read.
    ///
    /// - Parameters:
    ///   - operation: The operation, for errors.
    ///   - call: The system call, which returns the number of read bytes.
    /// - Returns: The number of read bytes; nil at the end, or when cancelled.
    /// - Throws: ``SourceError`` when the call fails.
    private func readOnce(_ operation: () -> String, _ call: () -> Int) throws(SourceError) -> Int? {
        while true {
            if interruption.isRaised { return nil }
            if !isSeekable, interruption.wait(for: descriptor.value, events: POLLIN) == .interrupted { return nil }
            let count = call()
            if count >= 0 { return count == 0 ? nil : count }
            let reason = Errno(rawValue: errno)
            guard reason == .interrupted || reason == .resourceTemporarilyUnavailable else {
                throw SourceError(name, operation(), reason)
            }
        }
    }

    /// Reads `count` bytes into the beginning of an array, which must have at least `count` elements.
    ///
    /// - Returns: The number of bytes read; fewer than requested only at the end, or when cancelled.
    func read(
        into bytes: inout [UInt8], count: Int, _ operation: @autoclosure () -> String
    ) throws(SourceError) -> Int {
        var span = bytes.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { memory throws(SourceError) in
            try unsafe read(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), operation())
        }
    }

    /// Reads a frame's planes directly into the frame's memory.
    ///
    /// - Returns: False at the end, or when interrupted.
    /// - Throws: ``SourceError`` when a read fails, or the file ends within the frame.
    func readPlanes(
        into buffer: FrameBuffer, _ layout: FrameLayout, _ vectors: inout FrameVectors, frame index: Int
    ) throws(SourceError) -> Bool {
        vectors.removeAll()
        vectors.append(buffer, layout)
        let total = vectors.remaining
        switch try read(&vectors, "read frame \(index)") {
        case .complete: return true
        case .ended(after: 0): return false
        case .ended(let count):
            if interruption.isRaised { return false }
            throw SourceError(
                name, "read frame \(index)", .damaged, "the frame is cut off after \(count) of \(total) bytes")
        }
    }

    /// Maps the next frame without a copy, and moves the file's offset to the frame's end.
    ///
    /// - Parameters:
    ///   - layout: The frame's layout.
    ///   - index: The number of the frame, for errors.
    /// - Returns: The frame's memory. Nil when the frame must be read instead: from a pipe, into padded rows, at the
    ///   file's end, or when the file cannot be mapped.
    /// - Throws: ``SourceError`` when parts of earlier frames could not be read, or seeking fails.
    mutating func mapFrame(_ layout: FrameLayout, frame index: Int) throws(SourceError) -> FrameBuffer? {
        guard isSeekable, layout.byteCount == layout.payloadByteCount else { return nil }
        if let window, window.isDamaged {
            throw SourceError(
                name, "read frame \(index)", .damaged, "the file was cut off while it was shown, or its disk failed")
        }
        let (offset, end) = (offset, currentSize)
        let bytes = offset..<offset + layout.byteCount
        guard bytes.upperBound <= end else { return nil }
        if window == nil || window?.range.contains(bytes) == false {
            window = FileWindow(descriptor.value, from: offset, count: bytes.count, end: end)
            loadedEnd = 0
        }
        guard let window else { return nil }
        if bytes.upperBound > loadedEnd {
            window.load(bytes)
            loadedEnd = bytes.upperBound
        }
        try seek(to: bytes.upperBound)
        return window.frame(at: offset, layout)
    }
}
