internal import Glibc
internal import SystemPackage

/// The text of a program's two shaders, or of its compute shader alone as the second: what identifies it.
struct ProgramSource: Hashable {
    let vertex: String
    let fragment: String
}

/// Programs' binaries in a folder, a file each.
///
/// A file holds the driver's name and the whole text beside the binary, and a checksum: what does not match to the last
/// byte is not there. Files are written under another name and renamed, so a reader never sees half of one. Whatever goes
/// wrong with the folder means no cache, never an error.
struct ProgramStore {
    /// Most files of the folder; the oldest go first.
    static let fileLimit = 512
    /// Larger files are not ours.
    private static let byteLimit = 16 << 20
    private static let magic = Array("PIPPROG1".utf8)

    private let folder: FilePath

    init(folder: FilePath) { self.folder = folder }

    /// The binary of a program; nil when there is none for this driver and text.
    func load(_ source: ProgramSource, driver: String) -> ProgramBinary? {
        let identity = Self.identity(source, driver: driver)
        guard let content = try? read(path(of: identity)), content.count > identity.count + 12,
            content.starts(with: identity)
        else { return nil }
        let body = content.dropLast(8)
        guard content.suffix(8).elementsEqual(Self.bytes(of: Self.hash(body))) else { return nil }
        let binary = body.dropFirst(identity.count)
        let format = binary.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return ProgramBinary(format: format, bytes: Array(binary.dropFirst(4)))
    }

    /// Keeps the binary of a program.
    func save(_ binary: ProgramBinary, of source: ProgramSource, driver: String) {
        let identity = Self.identity(source, driver: driver)
        let body = identity + Self.bytes(of: binary.format) + binary.bytes
        guard body.count < Self.byteLimit, makeFolder() else { return }
        let target = path(of: identity)
        let temporary = FilePath(target.string + ".\(getpid()).\(pthread_self()).tmp")
        do {
            try write(body + Self.bytes(of: Self.hash(body)), to: temporary)
            guard unsafe rename(temporary.string, target.string) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            _ = unsafe unlink(temporary.string)
        }
        removeOldest()
    }

    private func path(of identity: [UInt8]) -> FilePath {
        let hash = String(Self.hash(identity), radix: 16)
        return folder.appending(String(repeating: "0", count: 16 - hash.count) + hash + ".program")
    }

    /// What a file must begin with: the mark, and driver and texts with their lengths.
    private static func identity(_ source: ProgramSource, driver: String) -> [UInt8] {
        [driver, source.vertex, source.fragment].reduce(into: magic) { bytes, text in
            bytes += Self.bytes(of: UInt32(truncatingIfNeeded: text.utf8.count))
            bytes += text.utf8
        }
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// FNV-1a, 64 bits.
    ///
    /// It names files and finds damage; it need not withstand malice.
    ///
    /// Source: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private func read(_ path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            let size = try Int(file.seek(offset: 0, from: .end))
            guard size < Self.byteLimit else { return [] }
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

    private func write(_ bytes: [UInt8], to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        _ = try file.closeAfter { try file.writeAll(bytes) }
    }

    /// Makes the folder and those above it.
    private func makeFolder() -> Bool {
        var path = FilePath(root: folder.root, [])
        for component in folder.components {
            path.append(component)
            guard unsafe mkdir(path.string, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }

    private func removeOldest() {
        let names = Folder.entries(of: folder.string).filter { $0.hasSuffix(".program") }
        guard names.count > Self.fileLimit else { return }
        let files = names.map { folder.appending($0).string }.map { (path: $0, age: Self.modification(of: $0)) }
        for file in files.sorted(by: { $0.age < $1.age }).prefix(names.count - Self.fileLimit) {
            _ = unsafe unlink(file.path)
        }
    }

    private static func modification(of path: String) -> Int {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return 0 }
        return status.st_mtim.tv_sec
    }
}
