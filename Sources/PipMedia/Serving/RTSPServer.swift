#if Media
internal import PipConcurrency

/// An RTSP server of a session, from which players pull the streams of several paths.
///
/// The server listens while it serves at least one path.
///
/// Thread: any. Beginning and ending to listen block.
final class RTSPServer: Sendable {
    private struct State {
        var listener: RTSPListener?
        var mounts: [String: RTSPMount] = [:]
    }

    private let place: RTSPListener.Place
    private let state = Monitor(State())

    init(_ place: RTSPListener.Place) { self.place = place }

    /// Serves a path.
    ///
    /// - Parameters:
    ///   - mount: The path's streams.
    ///   - certificate: The certificate of a server that sends by TLS. Nil for one that does not.
    /// - Throws: ``MediaError`` when the port or the certificate cannot be used, when the path is served already, or
    ///   when another path has another certificate, or another password of the same user.
    func add(_ mount: RTSPMount, _ certificate: ServerCertificate?) throws(MediaError) {
        try state.update { (state: inout State) throws(MediaError) in
            if state.mounts[mount.path] != nil {
                throw MediaError(kind: .failed, reason: "another output is served at \(mount.path)")
            }
            if let user = mount.user,
                state.mounts.values.contains(where: { $0.user?.name == user.name && $0.user != user })
            {
                throw MediaError(kind: .failed, reason: "another output has another password of \(user.name)")
            }
            if state.listener == nil {
                state.listener = try RTSPListener(place, certificate) { [weak self] in self?.requestKeyFrames() }
            }
            guard let listener = state.listener, listener.certificate == certificate else {
                throw MediaError(
                    kind: .failed,
                    reason: "another output at port \(place.port) has another certificate, or none: take another port")
            }
            unsafe listener.add(mount.path, mount.makeFactory(isSecure: certificate != nil), for: mount.user)
            state.mounts[mount.path] = mount
        }
    }

    /// Serves a path no longer, and closes all connections if it was the last path.
    func remove(_ mount: RTSPMount) {
        let last = state.update { state -> RTSPListener? in
            guard state.mounts[mount.path] === mount else { return nil }
            state.mounts[mount.path] = nil
            state.listener?.remove(mount.path)
            return state.mounts.isEmpty ? state.listener.take() : nil
        }
        last?.stop()
    }

    private func requestKeyFrames() { for mount in state.read({ Array($0.mounts.values) }) { mount.requestKeyFrame() } }
}
#endif
