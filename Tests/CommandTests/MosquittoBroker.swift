import Foundation
import PipTestSupport
import Testing

/// Mosquitto as a broker of MQTT that a test can kill and start again, with Mosquitto's own clients.
struct MosquittoBroker {
    /// True if the broker and its clients are installed.
    static let isInstalled = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto_sub", "/usr/bin/openssl"]
        .allSatisfy(FileManager.default.isExecutableFile)
    /// The broker's user, and the user's password.
    static let user = (name: "anna", password: "hush-4711")

    let port: Int
    let server: MediaServer
    private let folder: TemporaryFolder
    private let clientOptions: [String]

    /// Starts a broker, whose files lie in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - hasUser: True for a broker that takes connections of ``user`` only.
    ///   - isSecure: True for TLS, with a certificate of the authority `ca.pem`.
    /// - Throws: An error when no port is free, or when openssl or the broker fails.
    init(in folder: TemporaryFolder, hasUser: Bool = false, isSecure: Bool = false) async throws {
        self.folder = folder
        port = try FreePort.tcp()
        var lines = ["user root", "listener \(port) 127.0.0.1", "allow_anonymous \(!hasUser)"]
        var options = ["-h", "127.0.0.1", "-p", "\(port)"]
        if hasUser {
            let passwords = folder.path("passwords")
            try await Self.run(
                "mosquitto_passwd", ["-c", "-b", passwords, Self.user.name, Self.user.password], in: folder)
            lines.append("password_file \(passwords)")
            options += ["-u", Self.user.name, "-P", Self.user.password]
        }
        if isSecure {
            try await TestCertificates.make(in: folder)
            lines += ["certfile \(folder.path("server.pem"))", "keyfile \(folder.path("server.key"))"]
            options += ["--cafile", folder.path("ca.pem")]
        }
        try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "mosquitto.conf")
        clientOptions = options
        server = MediaServer(["/usr/sbin/mosquitto", "-c", folder.path("mosquitto.conf")], in: folder.url)
        try await start()
    }

    /// Starts the broker, and waits until it listens.
    func start() async throws {
        try server.start()
        try await waitUntil { try FreePort.hasListener(port) }
    }

    /// The message that the broker keeps for a topic; nil for none within a second.
    func retained(_ topic: String) async throws -> Data? {
        let run = try await CommandProcess(
            ["mosquitto_sub"] + clientOptions + ["-t", topic, "-C", "1", "-W", "1", "-N"],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        return run.status == 0 ? run.output : nil
    }

    /// The JSON object that the broker keeps for a topic; nil for none.
    func object(_ topic: String) async throws -> [String: Any]? {
        try await retained(topic).flatMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    }

    /// Publishes a message.
    func publish(_ text: String, to topic: String) async throws {
        try folder.write(Array(text.utf8), to: "payload")
        let message = ["-q", "1", "-t", topic, "-f", folder.path("payload")]
        try await Self.run("mosquitto_pub", clientOptions + message, in: folder)
    }

    /// Follows a topic, and writes each message as a line of a file.
    func follow(_ topic: String, into file: String) throws -> MediaServer {
        let command = (["exec", "mosquitto_sub"] + clientOptions + ["-t", "'\(topic)'", "-q", "1", ">", file])
            .joined(separator: " ")
        let follower = MediaServer(["/bin/sh", "-c", command], in: folder.url)
        try follower.start()
        return follower
    }

    private static func run(_ program: String, _ arguments: [String], in folder: TemporaryFolder) async throws {
        let run = try await CommandProcess(
            [program] + arguments, of: URL(filePath: "/usr/bin/env"), in: folder.url)
        try #require(run.status == 0, "\(program): \(run.errors)")
    }
}
