internal import Glibc
internal import SystemPackage

/// The behaviour of a file output whose disk is full or failing.
public enum DiskPolicy: String, Sendable, CaseIterable {
    /// The file ends with its last whole frame, and the sink with it.
    case stop
    /// The file ends likewise; the sink leaves frames out until there is room again, or the disk works, and goes on in
    /// another file.
    case wait
}

/// The room that files leave on a disk, and the retry intervals of a sink that waits for one.
package struct DiskReserve: Sendable, Equatable {
    /// A file ends when less than this would be free; on small disks, a twentieth of them.
    package var stopBelow = 50_000_000
    package var stopDivisor = 20
    /// A sink that waits goes on when so much is free; on small disks, a fifth of them.
    package var resumeAbove = 200_000_000
    package var resumeDivisor = 5
    /// The interval at which a sink that waits for room checks for it.
    package var roomInterval = Duration.seconds(1)
    /// The interval at which a sink retries a disk that failed.
    package var retryInterval = Duration.seconds(5)

    package init() {}

    /// The bytes of a disk that stay free.
    package func kept(of room: DiskRoom) -> Int { min(stopBelow, room.capacity / stopDivisor) }

    /// True when there is room enough to begin another file.
    package func mayResume(in room: DiskRoom) -> Bool { room.free >= min(resumeAbove, room.capacity / resumeDivisor) }
}

/// The size of a disk and what of it is free, in bytes.
package struct DiskRoom: Sendable, Equatable {
    package var free: Int
    package var capacity: Int

    package init(free: Int, capacity: Int) {
        self.free = free
        self.capacity = capacity
    }

    /// The room on the file system of an open file; nil when `fstatvfs` fails.
    package init?(descriptor: Int32) {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The room on the file system of a folder; nil when `statvfs` fails.
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
    /// True for `ENOSPC`, `EDQUOT` and `EFBIG`: the disk is full rather than broken.
    package var isDiskFull: Bool { errno == .noSpace || errno == Errno(rawValue: EDQUOT) || errno == .fileTooLarge }

    /// True for failures of the disk, after which another attempt may succeed.
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
