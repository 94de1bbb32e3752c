import Foundation

/// A disk in the guest's memory, with a mounted file system.
///
/// A test can make the disk slow, hang or fail.
final class Disk {
    /// The folder at which the file system is mounted.
    let folder = "/run/pip-disk"
    private let image = "/dev/shm/pip-disk"
    private let sectors: Int
    private static let name = "pip-disk"

    /// Makes and mounts a disk, runs a function, and removes the disk.
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

    /// Mounts a disk in memory that fills up, runs a function with its folder, and unmounts the disk.
    static func withMemory(megabytes: Int, _ body: (String) async throws -> Void) async throws {
        let folder = "/run/pip-full"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try runProgram(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder])
        do {
            try await body(folder)
        } catch {
            _ = try? runProgram(["umount", folder])
            throw error
        }
        try runProgram(["umount", folder])
    }

    private init(megabytes: Int) throws {
        sectors = megabytes * 2048
        for module in ["loop", "ext4", "dm-mod", "dm-delay"] { try runProgram(["modprobe", module]) }
        try runProgram(["truncate", "--size=\(megabytes)M", image])
        try runTool(["losetup", "/dev/loop0", image])
        try device(["create", Self.name, "--table", linear])
        // Without udev, `/dev/mapper` has no link to the disk.
        try runTool(["mke2fs", "-q", "-t", "ext4", "-m", "0", "/dev/dm-0"])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try runProgram(["mount", "-t", "ext4", "/dev/dm-0", folder])
    }

    private func remove() throws {
        try heal()
        try runProgram(["umount", folder])
        try device(["remove", Self.name])
        try runTool(["losetup", "--detach", "/dev/loop0"])
        try FileManager.default.removeItem(atPath: image)
        // Restores the kernel's default limits.
        try Self.limitWrites(bytes: nil)
    }

    private var linear: String { "0 \(sectors) linear /dev/loop0 0" }

    /// Delays each access to the disk by some milliseconds.
    func slowDown(_ milliseconds: Int) throws { try use("0 \(sectors) delay /dev/loop0 0 \(milliseconds)") }

    /// Makes each access fail, as on an unplugged memory stick.
    func fail() throws { try use("0 \(sectors) error") }

    /// Ends all delays and failures.
    func heal() throws { try use(linear) }

    /// Makes the kernel remount all file systems read-only, as the kernel does with a file system that has errors.
    func makeReadOnly() throws { try "u".write(toFile: "/proc/sysrq-trigger", atomically: false, encoding: .utf8) }

    /// Remounts the disk writable.
    func makeWritable() throws { try runProgram(["mount", "-o", "remount,rw", folder]) }

    /// Makes the disk hang.
    ///
    /// Writers block once the kernel's write buffers are full.
    func stall() throws { try device(["suspend", "--noflush", "--nolockfs", Self.name]) }

    /// Ends the hang of ``stall()``.
    func resume() throws { try device(["resume", Self.name]) }

    /// Limits the data that the kernel buffers for writing, so that the speed of the disk matters; nil restores the
    /// default.
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

    /// Runs a program that may be in `/usr/sbin` or `/sbin`.
    private func runTool(_ words: [String]) throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        try runProgram(["PATH=\(path):/usr/sbin:/sbin"] + words)
    }
}
