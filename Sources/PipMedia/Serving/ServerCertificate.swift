#if Media
internal import CGStreamer

/// The certificate by which players know a server (TLS), and its private key.
///
/// The files are PEM. They are read when the first output of a port begins.
public struct ServerCertificate: Sendable, Hashable {
    /// The path of the certificate's file, behind which those of its authorities may follow.
    public let path: String
    /// The path of the key's file, which may be the certificate's own.
    public let key: String

    /// Names the files of a certificate.
    ///
    /// - Parameters:
    ///   - path: The path of the certificate's file, behind which those of its authorities may follow.
    ///   - key: The path of the key's file. Nil for a certificate's file with the key in it.
    public init(_ path: String, key: String? = nil) { (self.path, self.key) = (path, key ?? path) }

    /// Reads the files; the caller must release the certificate.
    ///
    /// - Throws: ``MediaError`` when GLib has no TLS, and when a file is missing, or is no certificate or key.
    @unsafe func load() throws(MediaError) -> UnsafeMutablePointer<GTlsCertificate> {
        guard unsafe g_tls_backend_supports_tls(g_tls_backend_get_default()) != 0 else {
            throw MediaError(
                kind: .missing, reason: "GLib has no TLS on this machine; to install: apt-get install glib-networking")
        }
        var error: UnsafeMutablePointer<GError>?
        if let certificate = unsafe g_tls_certificate_new_from_files(path, key, &error) { return unsafe certificate }
        let reason = unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "GLib gives no reason"
        unsafe g_clear_error(&error)
        let files = path == key ? path : "\(path) with the key \(key)"
        throw MediaError(kind: .failed, reason: "the certificate \(files) cannot be used: \(reason)")
    }
}
#endif
