#if Media
import Foundation
import Glibc
import PipFrames

/// FFmpeg as the server of a stream whose frames show their numbers, over and over.
final class StreamServer {
    let port: Int
    private let scheme: String
    private let movie: String
    private var process: Process?

    /// - Parameters:
    ///   - files: Where the stream is made.
    ///   - scheme: `srt` or `http`.
    ///   - size: Of its frames.
    ///   - port: Nil takes a free one.
    /// - Throws: What goes wrong with FFmpeg or the port.
    init(_ files: MovieFiles, _ scheme: String, size: PixelSize = MovieFiles.size, port: Int? = nil) throws {
        self.scheme = scheme
        self.port = try port ?? Self.freePort(isDatagram: scheme == "srt")
        let encoder = ["-c:v", "libx264", "-g", "6", "-bf", "0", "-crf", "12", "-tune", "zerolatency"]
        movie = try files.numbered("stream-\(size).ts", 120, rate: "30", size: size, encoder)
    }

    deinit { stop() }

    var address: String { scheme == "srt" ? "srt://127.0.0.1:\(port)" : "http://127.0.0.1:\(port)/live.ts" }

    /// Begins to serve, one client at a time.
    func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let place = scheme == "srt" ? ["\(address)?mode=listener&latency=20000"] : ["-listen", "1", address]
        process.arguments =
            [
                "ffmpeg", "-nostdin", "-v", "quiet", "-re", "-stream_loop", "-1", "-i", movie, "-c", "copy", "-f",
                "mpegts",
            ]
            + place
        try process.run()
        self.process = process
    }

    /// Ends it without a farewell.
    func stop() {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Stops its time, or lets it go on.
    func freeze(_ isFrozen: Bool) {
        if let process { kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }
    }

    /// A port that nobody listened to a moment ago.
    private static func freePort(isDatagram: Bool) throws -> Int {
        let type = isDatagram ? SOCK_DGRAM : SOCK_STREAM
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard result else { throw POSIXError(.EADDRNOTAVAIL) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
#endif
