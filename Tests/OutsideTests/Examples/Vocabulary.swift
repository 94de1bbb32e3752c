import PipCompose

/// Begins and ends outputs of a running session.
func replaceRecordings(of picture: Compositor) async throws {
    let recording = picture --> Y4MFile("1.y4m")
    let session = try await Session(picture)
    async let run: Void = session.run()

    let preview = picture --> Y4MFile("preview.y4m").scaled(to: PixelSize(640, 360)).limited(to: FrameRate(10))
    try await recording.stop()  // the file is finished
    try await session.configure {  // both changes take effect at the same frame
        preview.remove()
        picture --> Y4MFile("2.y4m")
    }

    session.stop()
    try await run
}

/// Changes the graph of a running session, and finds the layer under a pointer.
func change(
    _ picture: Compositor, _ vignette: Filter<Vignette>, _ mirror: Filter<Mirror>, _ camera: CameraSource,
    in session: Session
) async throws -> LayerHit? {
    let (main, inset) = (picture.layers[0], picture.layers[1])
    try vignette.update { $0.strength = 0.8 }
    vignette.isMuted = true  // not drawn, but keeps its place
    try mirror.insert(after: vignette)
    mirror.remove()
    try picture.swap(main, inset)
    try inset.update { $0.look.opacity = 0.5 }
    try await session.setEnabled(false, camera)  // the other camera goes on
    let hit = session.layer(atX: 980, y: 120, of: picture)  // the layer under a pointer
    return hit
}
