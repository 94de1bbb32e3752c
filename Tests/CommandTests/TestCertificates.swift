import Foundation
import PipTestSupport
import Testing

/// Certificates that openssl makes for a test.
enum TestCertificates {
    /// Makes an authority `ca.pem`, its certificate `server.pem` for 127.0.0.1 with the key `server.key`, and another
    /// authority `other.pem`.
    static func make(in folder: TemporaryFolder) async throws {
        try folder.write(Array("subjectAltName=IP:127.0.0.1\n".utf8), to: "names")
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        for name in ["ca", "other"] {
            try await openssl(
                ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)", "-out", "\(name).pem", "-keyout", "\(name).key"]
                    + key, in: folder)
        }
        try await openssl(
            ["req", "-subj", "/CN=server", "-out", "server.csr", "-keyout", "server.key"] + key, in: folder)
        try await openssl(
            [
                "x509", "-req", "-days", "2", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                "-CAcreateserial", "-extfile", "names", "-out", "server.pem",
            ], in: folder)
    }

    private static func openssl(_ arguments: [String], in folder: TemporaryFolder) async throws {
        let run = try await CommandProcess(["openssl"] + arguments, of: URL(filePath: "/usr/bin/env"), in: folder.url)
        try #require(run.status == 0, "openssl: \(run.errors)")
    }
}
