internal import CV4L2

/// Exposure and white balance as a camera's automatics have settled them.
package struct CameraAppearance: Equatable, Sendable {
    /// A property that a camera controls automatically by default.
    package enum Setting: String, CaseIterable, Sendable {
        case exposure = "exposure"
        case whiteBalance = "white balance"
    }

    /// Exposure times in tenths of a millisecond, white balance in kelvins: the same for all cameras.
    ///
    /// Source: Linux userspace API, "Camera Control Reference" and "User Controls".
    package var values: [Setting: Int] = [:]

    package init() {}
}

/// The two controls of a setting: a switch between automatic and manual, and the value.
private struct SettingControls {
    let automatic: CameraControl?
    let value: CameraControl?
    /// The switch's value for manual control.
    let manual: Int

    init(_ setting: CameraAppearance.Setting, among controls: [CameraControl]) {
        func control(_ id: UInt32) -> CameraControl? { controls.first { $0.id == id } }
        switch setting {
        case .exposure:
            automatic = control(UInt32(V4L2_CID_EXPOSURE_AUTO))
            value = control(UInt32(V4L2_CID_EXPOSURE_ABSOLUTE))
            manual = Int(V4L2_EXPOSURE_MANUAL.rawValue)
        case .whiteBalance:
            automatic = control(UInt32(V4L2_CID_AUTO_WHITE_BALANCE))
            value = control(UInt32(V4L2_CID_WHITE_BALANCE_TEMPERATURE))
            manual = 0
        }
    }
}

extension CameraSlot {
    /// The present exposure and white balance; settings that the camera lacks are left out.
    ///
    /// - Throws: ``CaptureError`` when there is no camera.
    package func appearance() throws(CaptureError) -> CameraAppearance {
        let controls = try controls()
        var appearance = CameraAppearance()
        for setting in CameraAppearance.Setting.allCases {
            appearance.values[setting] = SettingControls(setting, among: controls).value?.value
        }
        return appearance
    }

    /// Fixes exposure and white balance at their present values, or at another camera's.
    ///
    /// They stay when the camera is lost and comes back. Closing the camera restores the automatics that were on.
    ///
    /// - Parameter other: Values in place of its own, rounded to what this camera supports.
    /// - Returns: The values that were set, by the controls' names, and the errors of settings that failed.
    /// - Throws: ``CaptureError`` when there is no camera.
    package func keepAppearance(
        like other: CameraAppearance? = nil
    ) throws(CaptureError) -> (set: [(name: String, value: Int)], refused: [CaptureError]) {
        let controls = try controls()
        var set: [(name: String, value: Int)] = []
        var refused: [CaptureError] = []
        for setting in CameraAppearance.Setting.allCases {
            let found = SettingControls(setting, among: controls)
            guard let control = found.value, let own = control.value else {
                refused.append(lacks(setting))
                continue
            }
            do throws(CaptureError) {
                if let automatic = found.automatic, let before = automatic.value, before != found.manual {
                    try self.set(automatic.name, to: found.manual)
                    restoreAtEnd(automatic.name, to: before)
                }
                let value = control.nearest(to: other?.values[setting] ?? own)
                set.append((control.name, try self.set(control.name, to: value)))
            } catch {
                refused.append(error)
            }
        }
        return (set, refused)
    }

    private func lacks(_ setting: CameraAppearance.Setting) -> CaptureError {
        CaptureError(
            .unsupported, device: device?.path ?? "camera", operation: "keep its \(setting.rawValue)",
            reason: "the camera has no control for it")
    }
}

extension CameraControl {
    /// The valid value nearest to `wish`.
    fileprivate func nearest(to wish: Int) -> Int {
        let inRange = min(max(wish, range.lowerBound), range.upperBound)
        let step = max(1, step)
        return range.lowerBound + (inRange - range.lowerBound + step / 2) / step * step
    }
}
