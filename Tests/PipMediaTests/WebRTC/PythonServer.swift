#if Media
import Foundation
import PipMedia
import PipTestSupport

/// A run of `whip-server.py`, which can be killed and started again on the same port.
final class PythonServer: @unchecked Sendable {
    /// The server's report about the media that it has received.
    struct Seen: Codable, Sendable {
        /// The numbers that the decoded pictures show; -1 for a picture without a number.
        let numbers: [Int]
        /// The times of the beeps, in seconds of the sound.
        let beeps: [Double]
        let publishers: Int
        let deleted: Int
        let refused: Int
    }

    /// The path of a Python with the server's packages; nil if no Python has them.
    static let program = PythonPackages.program("python3")

    let port: Int
    private let token: String
    // Only one test at a time uses the object.
    private var process = Process()

    init(token: String) throws {
        self.token = token
        // The port is free, because the server that chose it has closed.
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

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until `wanted` returns a value for the server's report, and returns that value; nil after a timeout.
    func seen<R: Sendable>(_ wanted: (Seen) -> R?) async throws -> R? {
        try await eventually {
            guard let text = try? runProgram(["curl", "--silent", "--fail", "http://127.0.0.1:\(port)/seen"]) else {
                return nil
            }
            return wanted(try JSONDecoder().decode(Seen.self, from: Data(text.utf8)))
        }
    }

    /// Makes the server request a key frame from the publisher.
    func ask() async throws {
        try runProgram(["curl", "--silent", "--fail", "--request", "POST", "http://127.0.0.1:\(port)/ask"])
    }
}

/// A path for a recording in a temporary folder, which is deleted with this value.
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
