internal import Glibc
internal import PipCodecs
internal import PipConcurrency
internal import SystemPackage

/// The files of a sink that writes each frame as a picture: a file for each frame, or a single file that is replaced.
///
/// Each picture is written under a hidden name in the same folder, and renamed once it is complete. A single file that
/// is special (a device, a link, a pipe) is written in place.
struct PictureFiles: ~Copyable {
    let name: String
    private let pattern: PathPattern
    private let interruption: Interruption
    /// The number of the next file.
    ///
    /// The first number is 1, as in FFmpeg.
    private var number = 1
    private var path: [CChar] = []
    private var partialPath: [CChar] = []
    private var vectors = FrameVectors()
    private var isInPlace = false

    init(_ path: String, interruption: Interruption) throws(SinkError) {
        self.init(path, try PathPattern(path), interruption)
    }

    private init(_ name: String, _ pattern: PathPattern, _ interruption: Interruption) {
        self.name = name
        self.pattern = pattern
        self.interruption = interruption
    }

    /// Checks that files can be created; a special file is not checked.
    ///
    /// The folder of numbered files is created if its parent exists.
    ///
    /// - Throws: ``SinkError``, kind `cannotCreate`.
    mutating func prepare() throws(SinkError) {
        if pattern.isNumbered, !pattern.folder.isEmpty { try createFolder(pattern.folder) }
        pattern.write(number, to: &path)
        let type = unsafe fileType(path)
        isInPlace = !pattern.isNumbered && isSpecial(type)
        guard !isInPlace else { return }
        guard type != S_IFDIR else { throw SinkError.cannotCreate(name, .isDirectory) }
        // Creating a file now reveals a failure before the first frame.
        pattern.write(number, partial: ".part", to: &partialPath)
        close(try create(partialPath))
        _ = unsafe unlink(partialPath)
    }

    /// Writes the next picture.
    ///
    /// - Throws: ``SinkError``; then no incomplete file is left, except a special file.
    mutating func write(_ picture: ByteBuffer) throws(SinkError) {
        guard !interruption.isRaised else {
            throw SinkError(
                name, "write frame \(number)", .interrupted, "the time for finishing had ended")
        }
        pattern.write(number, to: &path)
        if isInPlace {
            try write(picture, to: path)
        } else {
            pattern.write(number, partial: ".part", to: &partialPath)
            try write(picture, to: partialPath)
            guard unsafe rename(partialPath, path) == 0 else { throw failure(partialPath) }
        }
        number += 1
    }

    private mutating func write(_ picture: ByteBuffer, to path: [CChar]) throws(SinkError) {
        let descriptor = try create(path)
        vectors.removeAll()
        vectors.append(picture)
        while vectors.remaining > 0 {
            let count = unsafe vectors.transfer { entries, count in unsafe writev(descriptor, entries, count) }
            if count >= 0 || errno == EINTR { continue }
            let error = failure(path)
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 || errno == EINTR else { throw failure(path) }
    }

    private func create(_ path: [CChar]) throws(SinkError) -> Int32 {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SinkError.cannotCreate(name, Errno(rawValue: errno)) }
        return descriptor
    }

    /// The error of the system call that failed last; the function deletes the incomplete picture unless it is special.
    private func failure(_ path: [CChar]) -> SinkError {
        let reason = Errno(rawValue: errno)
        if !isInPlace { _ = unsafe unlink(path) }
        return SinkError(
            name, "write frame \(number)", reason == .brokenPipe ? .closedPipe : .failed, reason)
    }
}
