#if Media
import Foundation
import PipMedia
import PipTestSupport

/// `whip-server.py`, which can be killed and started again at the same port.
final class PythonServer: @unchecked Sendable {
    /// What it tells.
    struct Seen: Codable, Sendable {
        /// The numbers in the pictures that it has decoded; -1 where there was none.
        let numbers: [Int]
        /// The moments of its sound's beeps, in seconds of that sound.
        let beeps: [Double]
        let publishers: Int
        let deleted: Int
        let refused: Int
    }

    /// Python with the packages that it needs; nil when they are not installed.
    static let program = PythonPackages.program("python3")

    let port: Int
    private let token: String
    // Used by one test, at one time.
    private var process = Process()

    init(token: String) throws {
        self.token = token
        // A port that is free: the server that found it has let go of it.
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

    /// Ends it as a crash would.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What it has seen, once there is what a test waits for; nil when that does not come.
    func seen<R: Sendable>(_ wanted: (Seen) -> R?) async throws -> R? {
        try await eventually {
            guard let text = try? runProgram(["curl", "--silent", "--fail", "http://127.0.0.1:\(port)/seen"]) else {
                return nil
            }
            return wanted(try JSONDecoder().decode(Seen.self, from: Data(text.utf8)))
        }
    }

    /// Lets it ask for a key frame.
    func ask() async throws {
        try runProgram(["curl", "--silent", "--fail", "--request", "POST", "http://127.0.0.1:\(port)/ask"])
    }
}

/// A recording that is looked into and deleted.
struct TemporaryMovie {
    private let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("movie.mkv")
    }

    /// The number of its key frames.
    func keyFrames() throws -> Int {
        try Probe.packets("flags", of: path).filter { $0[0].hasPrefix("K") }.count
    }
}
#endif
