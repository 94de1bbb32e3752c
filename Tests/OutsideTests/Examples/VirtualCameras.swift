import PipCompose

/// Provides a picture as a virtual camera for some time.
func show(_ picture: Compositor, for duration: Duration) async throws {
    picture --> VirtualCamera(labelled: "pip-compose").scaled(to: .hd720)
    try await Session(picture).run(for: duration)
}
