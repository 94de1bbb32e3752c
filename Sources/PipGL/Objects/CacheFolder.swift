internal import Glibc
internal import PipFrames
package import SystemPackage

/// A cache of small files in a folder, keyed by lists of words.
///
/// A file contains its key, the contents and a checksum. A file whose key or checksum does not match counts as missing.
/// Files are written under a temporary name and renamed, so that a reader never sees an incomplete file. If the folder
/// cannot be used, the cache stays empty and reports no error.
package struct CacheFolder {
    /// The size in bytes from which on files are neither written nor read.
    private static let byteLimit = 16 << 20
    private static let magic = Array("PIPCACHE".utf8)

    private let folder: FilePath
    private let suffix: String
    private let fileLimit: Int

    /// Creates a cache; its folder is made when the first file is saved.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - suffix: The suffix of the names of the cache's files.
    ///   - fileLimit: The largest number of files. When a saved file exceeds this number, the oldest files are deleted,
    ///     until three quarters of the number are left.
    package init(_ folder: FilePath, suffix: String, fileLimit: Int) {
        self.folder = folder
        self.suffix = suffix
        self.fileLimit = fileLimit
    }

    /// The path of a folder in `pip-compose` in `XDG_CACHE_HOME`, else in `~/.cache`.
    ///
    /// Nil when the environment sets neither `XDG_CACHE_HOME` nor `HOME` to an absolute path.
    ///
    /// Source: XDG Base Directory Specification 0.8, which says to ignore relative paths.
    package static func path(
        _ name: String, cacheHome: String? = Environment.value("XDG_CACHE_HOME"),
        home: String? = Environment.value("HOME")
    ) -> FilePath? {
        if let cacheHome, FilePath(cacheHome).isAbsolute {
            return FilePath(cacheHome).appending("pip-compose").appending(name)
        }
        guard let home, FilePath(home).isAbsolute else { return nil }
        return path(name, cacheHome: FilePath(home).appending(".cache").string, home: nil)
    }

    /// The contents saved for a key; nil when the folder has no valid file for the key.
    package func load(_ words: [String]) -> ArraySlice<UInt8>? {
        let identity = Self.identity(words)
        guard let content = try? Self.read(path(of: identity)), content.count >= identity.count + 8,
            content.starts(with: identity)
        else { return nil }
        let body = content.dropLast(8)
        guard content.suffix(8).elementsEqual(Self.bytes(of: fnv1a(body))) else { return nil }
        return body.dropFirst(identity.count)
    }

    /// Saves contents for a key.
    ///
    /// Saves nothing when the contents are too long, or the file cannot be written.
    package func save(_ contents: [UInt8], for words: [String]) {
        let identity = Self.identity(words)
        let body = identity + contents
        let bytes = body + Self.bytes(of: fnv1a(body))
        guard bytes.count < Self.byteLimit, Self.makeFolder(folder) else { return }
        let target = path(of: identity)
        let temporary = FilePath(target.string + ".\(getpid()).\(pthread_self()).tmp")
        do {
            try Self.write(bytes, to: temporary)
            guard unsafe rename(temporary.string, target.string) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            _ = unsafe unlink(temporary.string)
        }
        removeOldest()
    }

    private func path(of identity: [UInt8]) -> FilePath {
        let hash = String(fnv1a(identity), radix: 16)
        return folder.appending(String(repeating: "0", count: 16 - hash.count) + hash + suffix)
    }

    /// The header of a file: the magic number, and the words of the key with their lengths.
    private static func identity(_ words: [String]) -> [UInt8] {
        words.reduce(into: magic) { bytes, text in
            bytes += Self.bytes(of: UInt32(truncatingIfNeeded: text.utf8.count))
            bytes += text.utf8
        }
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Reads a file; empty for a file that is too long.
    static func read(_ path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            let size = try Int(file.seek(offset: 0, from: .end))
            guard size < byteLimit else { return [] }
            return unsafe try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                while count < size {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                    let read = try unsafe file.read(fromAbsoluteOffset: Int64(count), into: rest)
                    if read == 0 { break }
                    count += read
                }
            }
        }
    }

    static func write(_ bytes: [UInt8], to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        _ = try file.closeAfter { try file.writeAll(bytes) }
    }

    /// Makes a folder and its parents; returns false on failure.
    static func makeFolder(_ folder: FilePath) -> Bool {
        var path = FilePath(root: folder.root, [])
        for component in folder.components {
            path.append(component)
            guard unsafe mkdir(path.string, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }

    private func removeOldest() {
        let names = Folder.entries(of: folder.string).filter { $0.hasSuffix(suffix) }
        guard names.count > fileLimit else { return }
        let files = names.map { folder.appending($0).string }.map { (path: $0, age: Self.modification(of: $0)) }
        // A quarter of the files is deleted at once, so that the folder is not searched again for every new file.
        for file in files.sorted(by: { $0.age < $1.age }).prefix(names.count - fileLimit * 3 / 4) {
            _ = unsafe unlink(file.path)
        }
    }

    /// The time of a file's last change, in nanoseconds; 0 for a file that no longer exists.
    private static func modification(of path: String) -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return 0 }
        return status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    }
}
