import PipCompose

/// Offers a picture to other programs as a camera, for a given time.
func show(_ picture: Compositor, for duration: Duration) async throws {
    picture --> VirtualCamera(labelled: "pip-compose").scaled(to: .hd720)
    try await Session(picture).run(for: duration)
}
