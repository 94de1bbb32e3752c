internal import Glibc
internal import SystemPackage

/// What a file of frames does when its disk is full, or does not take what is written.
public enum DiskPolicy: String, Sendable, CaseIterable {
    /// The file ends with its last whole frame, and the sink with it.
    case stop
    /// The file ends likewise; the sink leaves frames out until there is room again, or the disk works, and goes on in
    /// another file.
    case wait
}

/// How much room files leave on a disk, and when a sink that waits for the disk tries again.
package struct DiskReserve: Sendable, Equatable {
    /// A file ends when less than this would be free; on small disks, a twentieth of them.
    package var stopBelow = 50_000_000
    package var stopDivisor = 20
    /// A sink that waits goes on when so much is free; on small disks, a fifth of them.
    package var resumeAbove = 200_000_000
    package var resumeDivisor = 5
    /// How often a sink that waits for room looks for it.
    package var roomInterval = Duration.seconds(1)
    /// How often a sink that waits for a disk that failed tries it.
    package var retryInterval = Duration.seconds(5)

    package init() {}

    /// What stays free of a disk.
    func kept(of room: DiskRoom) -> Int { min(stopBelow, room.capacity / stopDivisor) }

    /// Whether it is worth while to begin a file.
    func mayResume(in room: DiskRoom) -> Bool { room.free >= min(resumeAbove, room.capacity / resumeDivisor) }
}

/// The size of a disk and what of it is free, in bytes.
package struct DiskRoom: Sendable, Equatable {
    package var free: Int
    package var capacity: Int

    package init(free: Int, capacity: Int) {
        self.free = free
        self.capacity = capacity
    }

    /// Of the disk that an open file lies on; nil when it cannot be told.
    init?(descriptor: Int32) {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of the disk that a folder lies on; nil when it cannot be told.
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
    /// Whether the disk was full, rather than broken.
    var isDiskFull: Bool { errno == .noSpace || errno == Errno(rawValue: EDQUOT) || errno == .fileTooLarge }

    /// Whether the disk failed, so that another attempt may succeed.
    var isOfDisk: Bool {
        guard kind == .failed || kind == .cannotCreate, let errno else { return false }
        let broken: [Errno] = [
            .ioError, .readOnlyFileSystem, .noSuchAddressOrDevice, .operationNotSupportedByDevice,
            .noSuchFileOrDirectory,
            .staleNFSFileHandle,
        ]
        return isDiskFull || broken.contains(errno)
    }
}
