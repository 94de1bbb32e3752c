internal import Glibc
internal import SystemPackage

/// The behaviour of a file output when its disk is full or fails.
public enum DiskPolicy: String, Sendable, CaseIterable {
    /// The output ends, and its file ends with the last whole frame.
    case stop
    /// The file ends with its last whole frame.
    ///
    /// The output drops frames until the disk has free space or works again, and then continues in another file or with
    /// the next picture. When the session does not run in real time, only movies drop frames; other outputs wait.
    case wait
}

/// The free space that outputs leave on a disk, and the retry intervals of an output that waits for its disk.
package struct DiskReserve: Sendable, Equatable {
    /// The free space, in bytes, below which a file on a large disk ends.
    ///
    /// A disk whose size divided by ``stopDivisor`` is less than this value uses the quotient instead.
    package var stopBelow = 50_000_000
    /// A file on a small disk ends when the free space falls below the disk's size divided by this number.
    package var stopDivisor = 20
    /// The free space, in bytes, from which a waiting sink on a large disk continues.
    ///
    /// A disk whose size divided by ``resumeDivisor`` is less than this value uses the quotient instead.
    package var resumeAbove = 200_000_000
    /// A waiting sink on a small disk continues when the free space reaches the disk's size divided by this number.
    package var resumeDivisor = 5
    /// The interval at which a sink that waits for free space checks the disk.
    package var roomInterval = Duration.seconds(1)
    /// The interval at which a sink retries a disk that failed.
    package var retryInterval = Duration.seconds(5)

    package init() {}

    /// The number of bytes of a disk that must stay free.
    package func kept(of room: DiskRoom) -> Int { min(stopBelow, room.capacity / stopDivisor) }

    /// The amount of a disk that must stay free, as text for messages; in kB below 1 MB.
    package func keptText(of room: DiskRoom) -> String {
        let kept = kept(of: room)
        return kept < 1_000_000 ? "\(kept / 1000) kB" : "\(kept / 1_000_000) MB"
    }

    /// True when the disk has enough free space to begin another file.
    package func mayResume(in room: DiskRoom) -> Bool { room.free >= min(resumeAbove, room.capacity / resumeDivisor) }
}

/// The size and the free space of a disk.
///
/// Units: bytes.
package struct DiskRoom: Sendable, Equatable {
    package var free: Int
    package var capacity: Int

    package init(free: Int, capacity: Int) {
        self.free = free
        self.capacity = capacity
    }

    /// Reads the size and the free space of the file system of an open file; returns nil when `fstatvfs` fails.
    package init?(descriptor: Int32) {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the size and the free space of the file system of a folder; returns nil when `statvfs` fails.
    package init?(folder: String) {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: statvfs) {
        self.init(
            free: Self.bytes(Int(clamping: status.f_bavail), of: Int(clamping: status.f_frsize)),
            capacity: Self.bytes(Int(clamping: status.f_blocks), of: Int(clamping: status.f_frsize)))
    }

    private static func bytes(_ count: Int, of size: Int) -> Int {
        let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: size)
        return isTooMuch ? .max : bytes
    }
}

extension SinkError {
    /// True when the space, the quota or the largest file size is used up, rather than the disk broken: `ENOSPC`,
    /// `EDQUOT` or `EFBIG`.
    package var isDiskFull: Bool { errno == .noSpace || errno == Errno(rawValue: EDQUOT) || errno == .fileTooLarge }

    /// True for a failure of the disk after which another attempt may succeed.
    package var isOfDisk: Bool {
        guard kind == .failed || kind == .cannotCreate, let errno else { return false }
        let broken: [Errno] = [
            .ioError, .readOnlyFileSystem, .noSuchAddressOrDevice, .operationNotSupportedByDevice,
            .noSuchFileOrDirectory,
            .staleNFSFileHandle,
        ]
        return isDiskFull || broken.contains(errno)
    }
}
