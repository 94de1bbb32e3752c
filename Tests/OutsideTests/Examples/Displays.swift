import PipCompose

/// Shows the composed picture in a window, and one camera's picture on a screen that stands on its side.
func show(_ picture: Compositor, _ camera: CameraSource, for duration: Duration) async throws {
    picture --> Window("Both cameras")
    camera --> Screen("HDMI-A-1", turns: Orientation(quarterTurns: 1))
    try await Session(picture).run(for: duration)
}
