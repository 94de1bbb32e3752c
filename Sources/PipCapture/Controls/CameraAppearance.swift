/// The present exposure and white balance of a camera.
package struct CameraAppearance: Equatable, Sendable {
    /// The properties that two cameras must share for their pictures to look alike.
    package static let subjects: [CameraAdjustments.Automatic] = [.exposure, .whiteBalance]

    /// The values of the properties, in units common to all cameras: exposure time in units of 100 µs, white balance in
    /// kelvins.
    ///
    /// The dictionary lacks properties whose value cannot be read.
    ///
    /// Source: Linux userspace API, "Camera Control Reference" and "User Controls".
    package var values: [CameraAdjustments.Automatic: Int] = [:]

    package init() {}
}

extension CameraSlot {
    /// The present exposure and white balance; settings that cannot be read are left out.
    ///
    /// - Throws: ``CaptureError`` when there is no camera.
    package func appearance() throws(CaptureError) -> CameraAppearance {
        let controls = try controls()
        var appearance = CameraAppearance()
        for subject in CameraAppearance.subjects {
            appearance.values[subject] = subject.setting(controls).value?.value
        }
        return appearance
    }

    /// Fixes exposure and white balance at their present values, or at the values of another camera.
    ///
    /// The values survive a loss of the camera. Closing the slot restores the previous automatic modes.
    ///
    /// - Parameter other: Another camera's values to use, rounded to supported values. A property keeps its present
    ///   value when `other` lacks the property, or is nil.
    /// - Returns: The values that were set, with their control names, and the errors of settings that failed.
    /// - Throws: ``CaptureError`` when there is no camera.
    package func keepAppearance(
        like other: CameraAppearance? = nil
    ) throws(CaptureError) -> (set: [(name: String, value: Int)], refused: [CaptureError]) {
        let controls = try controls()
        var set: [(name: String, value: Int)] = []
        var refused: [CaptureError] = []
        for subject in CameraAppearance.subjects {
            let found = subject.setting(controls)
            guard let control = found.value, let own = control.value else {
                refused.append(lacks(subject, hasControl: found.value != nil))
                continue
            }
            do throws(CaptureError) {
                if let automatic = found.automatic, let manual = found.manual, let before = automatic.value,
                    before != manual
                {
                    try self.set([(automatic.name, manual)])
                    restoreAtEnd(automatic.name, to: before)
                }
                let value = control.nearest(to: other?.values[subject] ?? own)
                set += try self.set([(control.name, value)]).map { (control.name, $0) }
            } catch {
                refused.append(error)
            }
        }
        return (set, refused)
    }

    private func lacks(_ subject: CameraAdjustments.Automatic, hasControl: Bool) -> CaptureError {
        CaptureError(
            .unsupported, device: device?.path ?? "camera", operation: "keep its \(subject.words)",
            reason: hasControl
                ? "the camera's control for this setting cannot be read"
                : "the camera has no control for this setting")
    }
}
