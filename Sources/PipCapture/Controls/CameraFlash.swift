internal import CV4L2
package import PipFrames

/// A request to use, or not to use, the camera's own light for a still picture.
public enum CameraFlash: String, Hashable, Sendable, CaseIterable {
    case off
    case on
    /// The light is used when the picture is dark and the camera has a light.
    case automatic = "auto"

    /// The mean luma, 0…1, below which a picture is dark.
    package static let dark = 0.15
}

/// A flash or torch that was lit for one picture.
package struct FlashLight: Sendable {
    /// The time from which well-exposed frames with the light are expected.
    package let start: Timestamp
    /// The control values that switch the light off, to be set one by one.
    let ending: [(name: String, value: Int)]
}

/// The control values that light one picture: they fire the flash, or else switch a torch on for a while.
///
/// Source: Linux userspace API, "Flash Control Reference".
struct FlashPlan {
    /// The control values to set before the picture is taken, in order.
    private(set) var arming: [(name: String, value: Int)]
    /// The name of the button that fires the flash; nil for a torch, which is on when armed.
    private(set) var strobe: String?
    private(set) var ending: [(name: String, value: Int)]
    /// The time between the light's start and the first well-exposed frame.
    ///
    /// A torch needs this time, because automatic exposure adapts to its light; a flash needs none.
    private(set) var settling = Duration.zero

    private static let torchSettling = Duration.milliseconds(500)

    /// - Parameters:
    ///   - controls: The camera's controls, with their present values.
    ///   - device: The camera's path, for messages.
    /// - Throws: ``CaptureError``, kind `unsupported`, when the camera has no light.
    init(_ controls: [CameraControl], device: String) throws(CaptureError) {
        if let (mode, button) = Self.flash(controls) {
            arming = [(mode.name, Int(V4L2_FLASH_LED_MODE_FLASH.rawValue))]
            let software = Int(V4L2_FLASH_STROBE_SOURCE_SOFTWARE.rawValue)
            if let source = controls.settable(V4L2_CID_FLASH_STROBE_SOURCE), source.offers(software) {
                arming.append((source.name, software))
            }
            strobe = button.name
            ending = controls.settable(V4L2_CID_FLASH_STROBE_STOP).map { [($0.name, 1)] } ?? []
        } else {
            var wish = CameraAdjustments()
            wish.torch = .on
            do throws(CaptureError) { arming = try AdjustmentPlan(wish, controls, device: device).settings } catch {
                throw CaptureError(
                    .unsupported, device: device, operation: "light a picture",
                    reason: "the camera has neither a flash nor a torch among its controls")
            }
            ending = []
            settling = Self.torchSettling
        }
        ending += arming.reversed().compactMap { setting in
            controls.first { $0.name == setting.name }?.value.map { (setting.name, $0) }
        }
    }

    /// The controls of the flash's mode and of its trigger; nil for a camera without a flash.
    static func flash(_ controls: [CameraControl]) -> (mode: CameraControl, strobe: CameraControl)? {
        guard let mode = controls.settable(V4L2_CID_FLASH_LED_MODE),
            mode.offers(Int(V4L2_FLASH_LED_MODE_FLASH.rawValue)), let strobe = controls.button(V4L2_CID_FLASH_STROBE)
        else { return nil }
        return (mode, strobe)
    }
}

extension Camera {
    /// Fires the camera's flash, or else lights its torch, for a picture.
    ///
    /// - Returns: The executed plan, whose ``FlashPlan/ending`` switches the light off.
    /// - Throws: ``CaptureError`` when the camera has no light, refuses to light it or is lost; then nothing is lit.
    func lightFlash() throws(CaptureError) -> FlashPlan {
        let plan = try FlashPlan(try controls(), device: device.path)
        try set(plan.arming)
        do throws(CaptureError) {
            if let strobe = plan.strobe { try set([(strobe, 1)]) }
        } catch {
            restore(plan.ending)
            throw error
        }
        return plan
    }
}
