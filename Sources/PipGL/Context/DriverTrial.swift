internal import Glibc
internal import PipFrames
internal import SystemPackage

/// A start of a graphics driver, recorded in a file, so that a driver that ends the process is not started for ever.
///
/// The file has the identifier of each process that has begun the start, and is removed when the start returns, with a
/// context or with an error. The identifiers of processes that no longer exist are those of starts that ended their
/// process. If the folder cannot be used, every start is tried.
struct DriverTrial {
    /// The number of ended processes after which the driver is not started.
    private static let most = 3
    /// The time after which the driver is tried again, since it may have been updated.
    private static let patience = Duration.seconds(24 * 3600)

    private let path: FilePath?

    /// - Parameters:
    ///   - name: The name of the start, such as `gbm`.
    ///   - folder: The folder of the file. Nil for no file.
    init(_ name: String, in folder: FilePath? = CacheFolder.path("drivers")) {
        path = folder?.appending(name + ".starting")
    }

    /// Starts the driver.
    ///
    /// - Parameter start: Starts the driver.
    /// - Returns: The result of `start`.
    /// - Throws: ``GLError`` when earlier starts have ended their processes, and the error of `start`.
    func run<Result>(_ start: () throws(GLError) -> Result) throws(GLError) -> Result {
        guard let path else { return try start() }
        let text = (try? text(of: path)) ?? ""
        let processes = text.split(separator: "\n").compactMap { Int32($0) }
        let ended = processes.filter { kill($0, 0) != 0 && errno == ESRCH }
        guard ended.count < Self.most else {
            throw GLError(
                "start the driver", call: "dlopen",
                reason: .text(
                    "it has ended the program at its last \(ended.count) starts; update the driver, and remove \(path)")
            )
        }
        note(text + "\(getpid())\n", in: path)
        defer { _ = unsafe unlink(path.string) }
        return try start()
    }

    /// The text of a file; empty for a file that is too old.
    private func text(of path: FilePath) throws -> String {
        var status = stat()
        guard unsafe stat(path.string, &status) == 0 else { throw Errno(rawValue: errno) }
        let age = Duration.seconds(Glibc.time(nil) - status.st_mtim.tv_sec)
        return age < Self.patience ? String(decoding: try CacheFolder.read(path), as: UTF8.self) : ""
    }

    private func note(_ text: String, in path: FilePath) {
        guard CacheFolder.makeFolder(path.removingLastComponent()) else { return }
        try? CacheFolder.write(Array(text.utf8), to: path)
    }
}
