public import PipCompose

extension LiveRig {
    /// Opens the composition of a configuration.
    ///
    /// To start the composition, call ``/PipCompose/Session/run(for:frames:from:)`` of ``session``.
    ///
    /// - Parameters:
    ///   - file: The configuration. The app must apply its panel, log and run settings.
    ///   - options: The session options that a configuration cannot set. The configuration's pressure settings replace
    ///     the options' own.
    ///   - cameras: The directory in which the session finds cameras.
    ///   - attach: Receives the composed picture before the session opens, and may connect further outputs.
    /// - Throws: ``RigError`` for a mistake in the composition, ``UsageError`` for an output or a sound that does not
    ///   fit its picture, ``/PipCompose/SessionError`` and ``/PipCompose/SoundError`` for unusable devices and files,
    ///   and the errors of `attach`. The sound of a camera that does not exist throws `CaptureError`.
    public init(
        _ file: RigFile, options: SessionOptions = SessionOptions(), cameras: CameraDirectory = CameraDirectory(),
        attach: (any FrameProducer) throws -> Void = { _ in }
    ) async throws {
        var options = options
        options.pressure = file.pressure.options
        try await self.init(file.rig, options: options, cameras: cameras, attach: attach)
        self.file = file
    }

    /// Applies the differences between the last applied configuration and a new one, all from the same frame on.
    ///
    /// A changed pressure policy and pinned level follow after that frame.
    ///
    /// Settings that were changed by other means keep their values, unless the configuration changes them, too. Changes
    /// of the panel's settings need a restart.
    ///
    /// - Parameter file: The new configuration.
    /// - Throws: ``RigError`` for a composition that is inconsistent or needs a restart, ``UsageError`` and
    ///   ``/PipCompose/SessionError`` for a composition that cannot be drawn. After an error nothing has changed.
    public func reload(_ file: RigFile) async throws {
        try await reload(file, from: self.file)
    }

    /// Applies the changes between two configurations, even if the earlier one was never running.
    ///
    /// - Parameters:
    ///   - file: The new configuration.
    ///   - base: The configuration to compare with; nil compares with the running composition.
    /// - Throws: The errors of ``reload(_:)``.
    package func reload(_ file: RigFile, from base: RigFile?) async throws {
        let difference = RigReload(from: base?.rig ?? rig, to: file.rig)
        try await change { difference.apply(to: &$0) }
        self.file = file
        let (before, after) = (base?.pressure.options, file.pressure.options)
        if before?.policy != after.policy { await session.setPressurePolicy(after.policy) }
        if before == nil || before?.pinned != after.pinned { await session.pinPressure(after.pinned) }
    }

    /// Shows a scene of the configuration.
    ///
    /// - Parameters:
    ///   - name: The scene's name.
    ///   - motion: The animation of the layers to their new places; nil moves them at once.
    /// - Throws: ``RigError`` for an unknown scene, and the errors of ``reload(_:)`` for a scene that cannot be drawn.
    public func show(scene name: String, by motion: Motion? = nil) async throws {
        try await change(by: motion) { rig in try rig.show(scene: name) }
    }

    // MARK: Handles

    /// The handles of the layers, keyed by the names of their pictures.
    ///
    /// Changes through a handle are not recorded in the composition, whose next change may undo them.
    public nonisolated var layers: [String: LayerHandle] { snapshot.layers }

    /// The source nodes, keyed by the names of their pictures.
    ///
    /// Two pictures of one camera share a node.
    public nonisolated var sources: [String: any FrameProducer] { snapshot.sources }

    /// The outputs, keyed by their identifiers, which the panel's API reports.
    public nonisolated var outputs: [String: Output] { snapshot.outputs }
}
