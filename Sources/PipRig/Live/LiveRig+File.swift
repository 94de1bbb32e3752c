public import PipCompose

extension LiveRig {
    /// Opens what a configuration says; it runs from ``/PipCompose/Session/run(for:frames:from:)`` on.
    ///
    /// - Parameters:
    ///   - file: The configuration; its panel, its events and its duration are left to the app.
    ///   - options: Everything about the session that the configuration does not say. The response to heat, power and
    ///     load is the configuration's.
    ///   - cameras: Where cameras are found.
    ///   - attach: Connects a panel, and outputs that the configuration does not know of, to the composed picture.
    /// - Throws: ``RigError`` for a mistake in the composition, ``UsageError`` for an output that does not fit its
    ///   picture, ``/PipCompose/SessionError`` and ``/PipCompose/SoundError`` for devices and files that cannot be
    ///   used.
    public init(
        _ file: RigFile, options: SessionOptions = SessionOptions(), cameras: CameraDirectory = CameraDirectory(),
        attach: (any FrameProducer) throws -> Void = { _ in }
    ) async throws {
        var options = options
        options.pressure = file.pressure.options
        try await self.init(file.rig, options: options, cameras: cameras, attach: attach)
        self.file = file
    }

    /// Draws what differs between a configuration and the one that was read before, from one frame on.
    ///
    /// What was changed by other means stays, unless the configuration says something else of it than it did. A panel
    /// that is another one comes with the next start.
    ///
    /// - Parameter file: The configuration as it is now.
    /// - Throws: ``RigError`` when the result does not hold together or needs a restart, ``UsageError`` and
    ///   ``/PipCompose/SessionError`` when it cannot be drawn; then nothing has changed.
    public func reload(_ file: RigFile) async throws {
        try await reload(file, from: self.file)
    }

    /// The same for a configuration that was changed before it was opened.
    ///
    /// - Parameters:
    ///   - file: The configuration as it is now.
    ///   - base: The configuration as it was read before; nil compares with what is drawn.
    /// - Throws: As ``reload(_:)``.
    package func reload(_ file: RigFile, from base: RigFile?) async throws {
        let difference = RigReload(from: base?.rig ?? rig, to: file.rig)
        try await change { difference.apply(to: &$0) }
        self.file = file
        await session.setPressurePolicy(file.pressure.options.policy)
        await session.pinPressure(file.pressure.pinned)
    }

    /// Shows a scene of the configuration.
    ///
    /// - Parameters:
    ///   - name: The scene's name.
    ///   - motion: How layers come to their new places; nil puts them there.
    /// - Throws: ``RigError`` for a scene that is not there.
    public func show(scene name: String, by motion: Motion? = nil) async throws {
        try await change(by: motion) { rig in try rig.show(scene: name) }
    }

    // MARK: Handles

    /// The layers as they are drawn, by the names of their pictures.
    ///
    /// What is changed by a handle, the configuration's value does not know of: its next change may undo it.
    public nonisolated var layers: [String: LayerHandle] { snapshot.layers }

    /// The sources by the names of their pictures; two pictures of one camera have the same.
    public nonisolated var sources: [String: any FrameProducer] { snapshot.sources }

    /// The outputs by their identifiers, which the state of the API names.
    public nonisolated var outputs: [String: Output] { snapshot.outputs }
}
