import Foundation
import PipTestSupport
import Testing

/// A third-party server, which a test can start, kill and restart.
final class MediaServer: @unchecked Sendable {
    private let arguments: [String]
    private let folder: URL
    // Safe, because one test uses the server, on one thread at a time.
    private var process: Process?

    init(_ arguments: [String], in folder: URL) { (self.arguments, self.folder) = (arguments, folder) }

    deinit { kill() }

    /// nginx as an RTMP server that records its streams in the folder `kept`.
    static func rtmp(in folder: TemporaryFolder, port: Int) throws -> MediaServer {
        try FileManager.default.createDirectory(atPath: folder.path("kept"), withIntermediateDirectories: true)
        let configuration = """
            load_module modules/ngx_rtmp_module.so;
            daemon off; master_process off; user root;
            error_log \(folder.path("nginx.log")); pid \(folder.path("nginx.pid"));
            events { worker_connections 64; }
            rtmp { server { listen 127.0.0.1:\(port); chunk_size 4096;
            application live { live on; record all; record_path \(folder.path("kept")); record_unique on; } } }
            """
        try folder.write(Array(configuration.utf8), to: "nginx.conf")
        return MediaServer(["nginx", "-c", folder.path("nginx.conf")], in: folder.url)
    }

    func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
    }

    func send(_ signal: Int32) { if let process { Glibc.kill(process.processIdentifier, signal) } }

    func kill() {
        guard let process else { return }
        send(SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }
}
