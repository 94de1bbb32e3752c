#if Media
import Foundation
import PipMedia
import PipTestSupport

/// `whip-server.py`, which can be killed and started again at the same port.
final class PythonServer: @unchecked Sendable {
    /// The server's report.
    struct Seen: Codable, Sendable {
        /// The numbers in the decoded pictures; -1 for a picture without one.
        let numbers: [Int]
        /// The moments of the beeps, in seconds of the sound.
        let beeps: [Double]
        let publishers: Int
        let deleted: Int
        let refused: Int
    }

    /// Python with the packages that it needs; nil when they are not installed.
    static let program = PythonPackages.program("python3")

    let port: Int
    private let token: String
    // One test at a time uses it.
    private var process = Process()

    init(token: String) throws {
        self.token = token
        // The port is free: the server that found it has closed it.
        port = try TestServer { _ in .init(status: 200) }.port
        try start()
    }

    func start() throws {
        process = Process()
        process.executableURL = URL(filePath: Self.program ?? "/nonexistent")
        process.arguments = [PythonPackages.scripts.appending(path: "whip-server.py").path, "\(port)", token]
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// Kills the server.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The report, once a condition holds; nil when it does not hold in time.
    func seen<R: Sendable>(_ wanted: (Seen) -> R?) async throws -> R? {
        try await eventually {
            guard let text = try? runProgram(["curl", "--silent", "--fail", "http://127.0.0.1:\(port)/seen"]) else {
                return nil
            }
            return wanted(try JSONDecoder().decode(Seen.self, from: Data(text.utf8)))
        }
    }

    /// Makes the server request a key frame.
    func ask() async throws {
        try runProgram(["curl", "--silent", "--fail", "--request", "POST", "http://127.0.0.1:\(port)/ask"])
    }
}

/// A recording that is read and deleted.
struct TemporaryMovie {
    private let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("movie.mkv")
    }

    /// The number of key frames in the recording.
    func keyFrames() throws -> Int {
        try Probe.packets("flags", of: path).filter { $0[0].hasPrefix("K") }.count
    }
}
#endif
