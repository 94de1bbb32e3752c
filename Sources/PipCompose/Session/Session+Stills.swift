/// Pictures of a running session.
extension Session {
    /// Takes a picture: the next frame of a node, at its full size.
    ///
    /// Other outputs, and the cameras, go on without a gap.
    ///
    /// - Parameters:
    ///   - producer: A compositor, a filter, or a source for its own picture.
    ///   - format: The kind of file.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The picture, encoded.
    /// - Throws: ``SessionError`` when the session does not run, the node is not of its graph, or no frame came.
    public func still(
        of producer: some FrameProducer, as format: Still.Format = .jpeg, within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(producer)
        return try await stills.take(of: producer, as: format, within: limit)
    }

    /// Takes a picture of a camera, lit by its flash, or else by its torch.
    ///
    /// The flash fires by the camera's control and lights at least the frame that begins after that; a torch is lit for
    /// half a second before, and put out again.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - format: The kind of file.
    ///   - flash: The use of the flash. `automatic` takes a picture without light first, and keeps it when the camera
    ///     has no light.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The picture, encoded.
    /// - Throws: ``SessionError`` when the session does not run, the camera has no light, is lost or not of this
    ///   session, or no frame came.
    public func still(
        of camera: CameraSource, as format: Still.Format = .jpeg, flash: CameraFlash,
        within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(camera)
        return try await stills.take(of: camera, as: format, flash: flash, within: limit)
    }

    /// Takes a picture at the largest size that a camera has, and sets it back to what it was.
    ///
    /// The camera misses some frames while it changes; all others go on without a gap. Pressure may limit its size.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - format: The kind of file.
    ///   - flash: The use of the flash, as in ``still(of:as:flash:within:)``.
    ///   - limit: The longest wait for a frame.
    /// - Returns: The picture, encoded.
    /// - Throws: ``SessionError`` when the session does not run, the camera is lost or not of this session, or no frame
    ///   came.
    public func largestStill(
        of camera: CameraSource, as format: Still.Format = .jpeg, flash: CameraFlash = .off,
        within limit: Duration = .seconds(10)
    ) async throws(SessionError) -> Still {
        try checkRunning(camera)
        return try await stills.takeLargest(of: camera, as: format, flash: flash, within: limit)
    }

    private func checkRunning(_ producer: some FrameProducer) throws(SessionError) {
        guard !isRunning else { return }
        throw .noPicture(of: graph.label(of: producer.node.id), reason: "the session does not run")
    }
}
