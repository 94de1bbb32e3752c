extension Session {
    /// Switches a camera off or on, without negotiating its format again.
    ///
    /// Other cameras are not affected.
    ///
    /// - Throws: ``SessionError`` when the camera cannot be switched, for example because its bus no longer has the
    ///   bandwidth, when the camera is not this session's, or the session has ended.
    public func setEnabled(_ isEnabled: Bool, _ camera: CameraSource) async throws(SessionError) {
        try await set(camera) { $0.isEnabled = isEnabled }
    }

    /// Sets a control of a running camera.
    ///
    /// - Parameters:
    ///   - name: The driver's name of the control.
    ///   - value: The value, in the driver's units.
    ///   - camera: A camera of this session.
    /// - Returns: The control's new value, never nil. Within a transaction, and for a control that cannot be read, the
    ///   requested value.
    /// - Throws: ``SessionError`` when the camera is absent or not this session's, lacks the control or refuses the
    ///   value, or the session has ended.
    @discardableResult
    public func setControl(_ name: String, to value: Int, of camera: CameraSource) async throws(SessionError) -> Int? {
        try await setControls([(name, value)], of: camera).first
    }

    /// Sets several controls of a running camera together: all of them, or none.
    ///
    /// The driver checks the values together, so that a value and the switch that permits it may be set in one call.
    /// Within a transaction, the controls are checked and set with the transaction's other changes.
    ///
    /// - Parameters:
    ///   - settings: The driver's names of the controls with the values in the driver's units, in the order in which
    ///     they are set.
    ///   - camera: A camera of this session.
    /// - Returns: The controls' new values, in the order of `settings`. Within a transaction, and for controls that
    ///   cannot be read, the requested values.
    /// - Throws: ``SessionError`` when the camera is absent or not this session's, lacks a control or refuses a value,
    ///   or the session has ended. Then all controls keep their former values.
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

    /// Adjusts a running camera's picture in physical terms, such as exposure, focus and white balance.
    ///
    /// ```swift
    /// try await session.adjust(front) {
    ///     $0.exposure = .time(.milliseconds(20))
    ///     $0.focus = .once
    /// }
    /// ```
    ///
    /// An adjustment that the camera determines once, such as `focus = .once`, takes a few seconds. The adjustment ends
    /// with ``CameraEvent/settled(_:_:)``, or with ``CameraEvent/settingRefused(_:)`` when the camera has found no
    /// value.
    ///
    /// All other settings stay as they are. The session repeats the adjustments whenever the camera returns. Within a
    /// transaction, the adjustments are checked and made with the transaction's other changes, or not at all.
    ///
    /// - Parameters:
    ///   - camera: A camera of this session.
    ///   - change: Sets the requested adjustments.
    /// - Returns: The names and values of the driver's controls that were set. Empty within a transaction.
    /// - Throws: ``SessionError`` when the camera is absent or not this session's, lacks a control or refuses a value,
    ///   or the session has ended. Then all controls keep their former values.
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

    /// Replaces a camera by another one while the session runs.
    ///
    /// The new camera delivers frames before the old one stops if the bus has bandwidth for both. Nothing else is
    /// affected. To exchange two cameras, use one ``transaction(isolation:_:)``; both cameras are then stopped first.
    ///
    /// - Throws: ``SessionError`` when the new camera cannot deliver frames, the old camera is not this session's, or
    ///   the session has ended. Then the old camera goes on.
    public func switchCamera(
        _ camera: CameraSource, to selector: CameraSelector, wish: CameraWish = CameraWish()
    ) async throws(SessionError) {
        try await set(camera) { camera in
            camera.selector = selector
            camera.wish = wish
        }
    }

    /// Sets a running camera to another size, rate or pixel format, and applies the wish's changed controls and
    /// adjustments.
    ///
    /// Other cameras are not affected.
    ///
    /// While pressure limits the camera's size, the camera runs in a mode within the limit, and changes to the
    /// requested mode afterwards.
    ///
    /// - Throws: ``SessionError`` when the camera refuses the mode or is not this session's, or the session has ended.
    ///   Then the camera keeps its former mode.
    public func setMode(_ wish: CameraWish, of camera: CameraSource) async throws(SessionError) {
        try await set(camera) { $0.wish = wish }
    }

    private func set(_ camera: CameraSource, _ change: (CameraSource) -> Void) async throws(SessionError) {
        _ = try await controller.camera(camera)
        do { try await configure { change(camera) } } catch { throw SessionError(any: error) }
    }
}
