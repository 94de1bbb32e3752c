#if Media
import Foundation
import Glibc
import PipConcurrency
import PipFrames
import PipTestSupport

/// An endless stream's server, which runs as a separate program.
final class StreamServer {
    /// The kinds of servers; all but ``rtsp`` send numbered frames in a loop.
    enum Kind: String, CaseIterable {
        /// FFmpeg, which serves a single client.
        case srt, http
        /// nginx, which serves segments that FFmpeg writes.
        case hls
        /// A Python program with GStreamer's RTSP server.
        case rtsp
    }

    let kind: Kind
    let port: Int
    private let folder: URL
    private let movie: String
    private var process: Process?
    /// The FFmpeg that writes the segments for `hls`, and continues while the server is down.
    private var writer: Process?

    private static let servers = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Python")

    /// Makes the movie to stream, and chooses a port.
    ///
    /// - Parameters:
    ///   - files: Makes the movie, and owns its folder.
    ///   - kind: The kind of server.
    ///   - size: The size of the frames.
    ///   - port: The port. Nil takes a free one.
    /// - Throws: The error of FFmpeg or of the port.
    init(_ files: MovieFiles, _ kind: Kind, size: PixelSize = MovieFiles.size, port: Int? = nil) throws {
        self.kind = kind
        self.port = try port ?? (kind == .srt ? FreePort.udp() : FreePort.tcp())
        folder = files.folder.url
        let encoder = ["-c:v", "libx264", "-g", "6", "-bf", "0", "-crf", "12", "-tune", "zerolatency"]
        movie = try files.numbered("stream-\(size).ts", 120, rate: "30", size: size, encoder)
    }

    deinit {
        stop()
        if let writer { Self.kill(writer) }
    }

    var address: String {
        switch kind {
        case .srt: "srt://127.0.0.1:\(port)"
        case .http: "http://127.0.0.1:\(port)/live.ts"
        case .hls: "http://127.0.0.1:\(port)/live.m3u8"
        case .rtsp: "rtsp://127.0.0.1:\(port)/live"
        }
    }

    /// Starts the server.
    ///
    /// Waits until FFmpeg listens if the kind is `http`, because FFmpeg's only client must not connect earlier.
    func listen() throws {
        try start()
        let end = MonotonicClock().now.advanced(by: .seconds(60))
        while kind == .http, try !FreePort.hasListener(port), MonotonicClock().now < end { usleep(10_000) }
    }

    /// Starts the server without waiting.
    func start() throws {
        let feed = ["ffmpeg", "-nostdin", "-v", "quiet", "-re", "-stream_loop", "-1", "-i", movie, "-c", "copy", "-f"]
        switch kind {
        case .srt: process = try run(feed + ["mpegts", "\(address)?mode=listener&latency=20000"])
        case .http:
            process = try run(feed + ["mpegts", "-listen", "1", address])
        case .rtsp:
            // Only the system's Python has the bindings to the system's GStreamer.
            process = try run(["/usr/bin/python3", Self.servers.appending(path: "rtsp-server.py").path, "\(port)"])
        case .hls:
            if writer == nil {
                writer = try run(
                    feed + ["hls", "-hls_time", "1", "-hls_list_size", "6", "-hls_flags", "delete_segments"]
                        + ["live.m3u8"])
            }
            let configuration = """
                daemon off; master_process off; user root;
                error_log \(folder.path)/nginx.log; pid \(folder.path)/nginx.pid;
                events { worker_connections 64; }
                http { access_log off; types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; }
                server { listen 127.0.0.1:\(port); root \(folder.path); } }
                """
            try configuration.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
            process = try run(["/usr/sbin/nginx", "-c", "\(folder.path)/nginx.conf"])
        }
    }

    /// Kills the server.
    func stop() {
        if let process { Self.kill(process) }
        process = nil
    }

    /// Freezes the server's process, or lets it continue.
    func freeze(_ isFrozen: Bool) {
        if let process { Glibc.kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }
    }

    private func run(_ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func kill(_ process: Process) {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
#endif
