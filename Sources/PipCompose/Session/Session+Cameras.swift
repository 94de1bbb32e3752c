extension Session {
    /// Switches a camera off or on, without renegotiating it and without touching the others.
    ///
    /// - Throws: ``SessionError`` when the camera is lost or not this session's, or its bus has no room any more.
    public func setEnabled(_ isEnabled: Bool, _ camera: CameraSource) async throws(SessionError) {
        try await set(camera) { $0.isEnabled = isEnabled }
    }

    /// Sets a control of a running camera.
    ///
    /// - Parameters:
    ///   - name: The driver's name of the control.
    ///   - value: The value, in the driver's units.
    ///   - camera: A camera of this session.
    /// - Returns: The value that the driver took.
    /// - Throws: ``SessionError`` when there is no such camera or control, or it does not take the value.
    @discardableResult
    public func setControl(_ name: String, to value: Int, of camera: CameraSource) async throws(SessionError) -> Int? {
        try await setControls([(name, value)], of: camera).first
    }

    /// Sets controls of a running camera together: all of them, or none.
    ///
    /// The driver checks them together, so that a value may come with the switch that allows it. Within a transaction
    /// they are checked and set with its other changes.
    ///
    /// - Parameters:
    ///   - settings: The driver's names of the controls, and the values in its units, in the order in which they are
    ///     set.
    ///   - camera: A camera of this session.
    /// - Returns: The values that the driver took, in the same order; within a transaction, those that were asked for.
    /// - Throws: ``SessionError`` when there is no such camera or control, or it does not take a value; then all are as
    ///   they were.
    @discardableResult
    public func setControls(
        _ settings: [(name: String, value: Int)], of camera: CameraSource
    ) async throws(SessionError) -> [Int] {
        let slot = try await controller.camera(camera)
        if let draft = joinedDraft {
            camera.request(in: draft) { $0.add(settings, after: $1) }
            return settings.map(\.value)
        }
        do throws(CaptureError) { return try slot.set(settings) } catch { throw .camera(error) }
    }

    /// Adjusts a running camera's picture by meaning: exposure, focus, white balance and the rest.
    ///
    /// ```swift
    /// try await session.adjust(front) {
    ///     $0.exposure = .time(.milliseconds(20))
    ///     $0.focus = .once
    /// }
    /// ```
    ///
    /// What the camera decides once takes a second or a few, and ends with ``CameraEvent/settled(_:_:)``, or with
    /// ``CameraEvent/settingRefused(_:)`` where it has found nothing.
    ///
    /// All other settings are left as they are. The camera is made so again whenever it comes back. Within a
    /// transaction it is checked and made with the other changes, or not at all.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - change: Sets the requested adjustments.
    /// - Returns: The names and values of the driver's controls that were set; none yet within a transaction.
    /// - Throws: ``SessionError`` when there is no such camera, it has no control for something, or something is
    ///   outside of its range; then all is as it was.
    @discardableResult
    public func adjust(
        _ camera: CameraSource, _ change: @Sendable (inout CameraAdjustments) -> Void
    ) async throws(SessionError) -> [(name: String, value: Int)] {
        let slot = try await controller.camera(camera)
        var wish = CameraAdjustments()
        change(&wish)
        if let draft = joinedDraft {
            camera.request(in: draft) { [wish] in $0.add(wish, after: $1) }
            return []
        }
        do throws(CaptureError) { return try slot.adjust(wish) } catch { throw .camera(error) }
    }

    /// Takes another camera in the place of one, while the session runs.
    ///
    /// The new camera delivers before the old one is stopped, where their bus has room for both. Nothing else is
    /// touched. Two cameras are exchanged within one ``transaction(isolation:_:)``; those are stopped first.
    ///
    /// - Throws: ``SessionError`` when the new camera cannot deliver: then the old one goes on.
    public func switchCamera(
        _ camera: CameraSource, to selector: CameraSelector, wish: CameraWish = CameraWish()
    ) async throws(SessionError) {
        try await set(camera) { camera in
            camera.selector = selector
            camera.wish = wish
        }
    }

    /// Sets a running camera to another size, rate or pixel format; no other camera is touched.
    ///
    /// While the machine's pressure limits its size, it is set to one within the limit, and to this one once that is
    /// over.
    ///
    /// - Throws: ``SessionError`` when the camera does not take it: then it goes on as before.
    public func setMode(_ wish: CameraWish, of camera: CameraSource) async throws(SessionError) {
        try await set(camera) { $0.wish = wish }
    }

    /// Changes the requested settings of one camera of this session.
    private func set(_ camera: CameraSource, _ change: (CameraSource) -> Void) async throws(SessionError) {
        _ = try await controller.camera(camera)
        do { try await configure { change(camera) } } catch { throw SessionError(any: error) }
    }
}
