public import PipCompose

extension LiveRig {
    /// Opens the composition of a configuration.
    ///
    /// ``/PipCompose/Session/run(for:frames:from:)`` starts it.
    ///
    /// - Parameters:
    ///   - file: The configuration. The app is responsible for its panel, its events and its duration.
    ///   - options: The session options that the configuration does not contain. The response to heat, power and load
    ///     is the configuration's.
    ///   - cameras: The directory in which the session finds cameras.
    ///   - attach: Connects a panel, and outputs that the configuration does not contain, to the composed picture.
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

    /// Applies the changes between the previous reading of a configuration and this one, from one frame on.
    ///
    /// Changes that came by other means stay, unless the configuration changes the same setting. Changes of the panel
    /// need a restart.
    ///
    /// - Parameter file: The present reading of the configuration.
    /// - Throws: ``RigError`` for a composition that is inconsistent or needs a restart, ``UsageError`` and
    ///   ``/PipCompose/SessionError`` for a composition that cannot be drawn. After an error nothing has changed.
    public func reload(_ file: RigFile) async throws {
        try await reload(file, from: self.file)
    }

    /// Applies a configuration that had changed before the composition was opened.
    ///
    /// - Parameters:
    ///   - file: The present reading of the configuration.
    ///   - base: The previous reading of the configuration; nil compares with the running composition.
    /// - Throws: The errors of ``reload(_:)``.
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
    ///   - motion: The animation to the new places; nil moves the layers at once.
    /// - Throws: ``RigError`` for an unknown scene.
    public func show(scene name: String, by motion: Motion? = nil) async throws {
        try await change(by: motion) { rig in try rig.show(scene: name) }
    }

    // MARK: Handles

    /// The handles of the layers, keyed by the names of their pictures.
    ///
    /// The configuration's value does not contain changes by a handle: the next change of the configuration may undo
    /// them.
    public nonisolated var layers: [String: LayerHandle] { snapshot.layers }

    /// The sources, keyed by the names of their pictures.
    ///
    /// Two pictures of one camera share a source.
    public nonisolated var sources: [String: any FrameProducer] { snapshot.sources }

    /// The outputs, keyed by their identifiers, which the API's state contains.
    public nonisolated var outputs: [String: Output] { snapshot.outputs }
}
