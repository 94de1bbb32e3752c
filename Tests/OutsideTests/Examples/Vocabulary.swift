import PipCompose

/// Begins and ends outputs of a running session.
func replaceRecordings(of picture: Compositor) async throws {
    let recording = picture --> Y4MFile("1.y4m")
    let session = try await Session(picture)
    async let run: Void = session.run()

    let preview = picture --> Y4MFile("preview.y4m").scaled(to: PixelSize(640, 360)).limited(to: FrameRate(10))
    try await recording.stop()  // the file is finished
    try await session.configure {  // both at one frame
        preview.remove()
        picture --> Y4MFile("2.y4m")
    }

    session.stop()
    try await run
}
