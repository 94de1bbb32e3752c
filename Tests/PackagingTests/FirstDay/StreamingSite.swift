import Foundation
import PipTestSupport

/// An RTMP server that records the streams it receives: nginx.
final class StreamingSite {
    static let isInstalled = ["/usr/sbin/nginx", "/usr/lib/nginx/modules/ngx_rtmp_module.so"]
        .allSatisfy(FileManager.default.fileExists)

    private let folder: TemporaryFolder
    private let port: Int
    private let program: BesideTest

    init() throws {
        folder = try TemporaryFolder()
        port = try FreePort.tcp()
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
        program = try BesideTest(["/usr/sbin/nginx", "-c", folder.path("nginx.conf")], in: folder.url)
    }

    /// The address to which a stream is sent.
    var address: String { "rtmp://127.0.0.1:\(port)/live/car" }

    /// The path of the latest recording; nil before the first stream.
    var kept: String? {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path("kept")).sorted()
        return names?.last.map { folder.path("kept/\($0)") }
    }

    func end() async { await program.end() }
}
