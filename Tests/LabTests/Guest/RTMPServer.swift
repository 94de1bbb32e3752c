import Foundation
import PipTestSupport

/// nginx as an RTMP server in the guest, at `rtmp://127.0.0.1:1935/live/NAME`.
enum RTMPServer {
    static var isInstalled: Bool {
        ["/usr/sbin/nginx", "/usr/lib/nginx/modules/ngx_rtmp_module.so"].allSatisfy(FileManager.default.fileExists)
    }

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - folder: The folder for the configuration and the recordings.
    ///   - keepsStreams: True to record the received streams in the folder `kept`.
    /// - Returns: The running server, which the caller stops.
    /// - Throws: The error of writing the configuration, or of starting nginx.
    static func start(in folder: TemporaryFolder, keepsStreams: Bool) throws -> Background {
        try FileManager.default.createDirectory(atPath: folder.path("kept"), withIntermediateDirectories: true)
        let record = keepsStreams ? "record all; record_path \(folder.path("kept")); record_unique on;" : ""
        let configuration = """
            load_module modules/ngx_rtmp_module.so;
            daemon off; master_process off; user root;
            error_log /dev/null; pid \(folder.path("nginx.pid"));
            events { worker_connections 64; }
            rtmp { server { listen 127.0.0.1:1935; chunk_size 4096; application live { live on; \(record) } } }
            """
        try folder.write(Array(configuration.utf8), to: "nginx.conf")
        return try Background(["nginx", "-c", folder.path("nginx.conf")])
    }
}
