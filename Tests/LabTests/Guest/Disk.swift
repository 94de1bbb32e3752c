import Foundation

/// A disk in the guest's memory, with a file system.
///
/// A test can make it slow, hang or fail.
final class Disk {
    /// The mount point.
    let folder = "/run/pip-disk"
    private let image = "/dev/shm/pip-disk"
    private let sectors: Int
    private static let name = "pip-disk"

    /// Runs a function with a disk, then restores the disk and removes it.
    static func withDisk<R>(megabytes: Int, _ body: (Disk) async throws -> R) async throws -> R {
        let disk = try Disk(megabytes: megabytes)
        do {
            let result = try await body(disk)
            try disk.remove()
            return result
        } catch {
            try? disk.remove()
            throw error
        }
    }

    private init(megabytes: Int) throws {
        sectors = megabytes * 2048
        for module in ["loop", "ext2", "dm-mod", "dm-delay"] { try runProgram(["modprobe", module]) }
        try runProgram(["truncate", "--size=\(megabytes)M", image])
        try runTool(["losetup", "/dev/loop0", image])
        try device(["create", Self.name, "--table", linear])
        // No udev makes links to the disk.
        try runTool(["mke2fs", "-q", "-t", "ext2", "-m", "0", "/dev/dm-0"])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try runProgram(["mount", "-t", "ext2", "/dev/dm-0", folder])
    }

    private func remove() throws {
        try heal()
        try runProgram(["umount", folder])
        try device(["remove", Self.name])
        try runTool(["losetup", "--detach", "/dev/loop0"])
        try FileManager.default.removeItem(atPath: image)
        // The kernel's default shares are restored.
        try Self.limitWrites(bytes: nil)
    }

    private var linear: String { "0 \(sectors) linear /dev/loop0 0" }

    /// Delays each access.
    func slowDown(_ milliseconds: Int) throws { try use("0 \(sectors) delay /dev/loop0 0 \(milliseconds)") }

    /// Makes each access fail, like that of an unplugged stick.
    func fail() throws { try use("0 \(sectors) error") }

    /// Restores the disk.
    func heal() throws { try use(linear) }

    /// Makes the kernel remount the disk read-only during writes, as it does by itself after errors.
    func makeReadOnly() throws { try "u".write(toFile: "/proc/sysrq-trigger", atomically: false, encoding: .utf8) }

    /// Remounts the disk writable.
    func makeWritable() throws { try runProgram(["mount", "-o", "remount,rw", folder]) }

    /// Makes the disk hang; writers wait once the kernel's memory for it is full.
    func stall() throws { try device(["suspend", "--noflush", "--nolockfs", Self.name]) }

    /// Ends a hang.
    func resume() throws { try device(["resume", Self.name]) }

    /// Limits the unwritten data in memory, so that the disk's speed matters; nil lets the kernel choose.
    static func limitWrites(bytes: Int?) throws {
        let file = bytes == nil ? "dirty_ratio" : "dirty_bytes"
        try "\(bytes ?? 20)".write(toFile: "/proc/sys/vm/\(file)", atomically: false, encoding: .utf8)
    }

    private func use(_ table: String) throws {
        try stall()
        try device(["load", Self.name, "--table", table])
        try resume()
    }

    private func device(_ words: [String]) throws { try runTool(["dmsetup", "--noudevsync"] + words) }

    /// Runs a system administration program.
    private func runTool(_ words: [String]) throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        try runProgram(["PATH=\(path):/usr/sbin:/sbin"] + words)
    }
}
