#if Control
internal import PipCompose
internal import PipPatterns
internal import PipRig

/// Draws thumbnails of effects on request, and keeps the JPEG pictures.
actor Thumbnails {
    private static let size = PixelSize(192, 108)
    private var known: [String: [UInt8]] = [:]
    /// The task that draws the latest requested thumbnail.
    ///
    /// Thumbnails are drawn one after another, to leave processor time to the composition.
    private var last: Task<[UInt8], any Error>?

    func picture(of type: any Effect.Type) async throws -> [UInt8] {
        if let picture = known[type.name] { return picture }
        let before = last
        let task = Task {
            _ = try? await before?.value
            return try await Self.draw(type)
        }
        last = task
        let picture = try await task.value
        known[type.name] = picture
        return picture
    }

    private static func draw(_ type: any Effect.Type) async throws -> [UInt8] {
        let source = PatternSource(.scene, size: size, frameRate: FrameRate(10))
        let effect = try EffectArgument.effects(EffectEntry(type).example)[0]
        let tap = PictureEncoder.tap(size: size, buffering: .newest(8), name: "thumbnail")
        func connect(_ effect: some Effect) { source --> effect --> tap }
        connect(effect)
        var options = SessionOptions()
        options.pace = .maximum
        options.pressure.policy = .off
        options.drawingThreads = 1
        let session = try await Session(source, options: options)
        async let run: Void = session.run(frames: 4)
        let encoder = try PictureEncoder()
        var picture: [UInt8] = []
        // Some effects read earlier frames, so the last of several frames becomes the thumbnail.
        for await frame in tap.frames { picture = try encoder.jpeg(of: frame) }
        try await run
        return picture
    }
}
#endif
