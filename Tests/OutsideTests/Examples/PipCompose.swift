import PipCompose

/// Records ten seconds of two cameras, the second as an inset over the first, in one Y4M file.
func twoCameras() async throws {
    let picture = Compositor(canvas: .hd720) {
        Layer(CameraSource("/dev/video0"))
        Layer(CameraSource("/dev/video2")).placed(.topRight, width: 0.25, margin: 24)
    }
    picture --> Y4MFile("out.y4m")
    try await Session(picture).run(for: .seconds(10))
}
