internal import CV4L2
internal import SystemPackage

/// Reads and sets the controls of an open device.
///
/// Source: Linux userspace API, "ioctls VIDIOC_QUERYCTRL, VIDIOC_QUERY_EXT_CTRL and VIDIOC_QUERYMENU".
struct ControlAccess {
    let device: V4L2Device

    /// The largest number of controls that are read, because some drivers never end their list.
    ///
    /// A menu whose last index is not below this number counts as empty.
    private static let limit = 1000

    /// All controls that are not disabled, in the driver's order.
    func controls() -> [CameraControl] {
        var controls: [CameraControl] = []
        forEach { query in if let control = describe(query) { controls.append(control) } }
        return controls
    }

    /// Calls `body` with each entry of the driver's list of controls.
    private func forEach(_ body: (v4l2_query_ext_ctrl) -> Void) {
        var id: UInt32 = 0
        for _ in 0..<Self.limit {
            var query = v4l2_query_ext_ctrl()
            query.id = id | V4L2_CTRL_FLAG_NEXT_CTRL
            // A driver that repeats an identifier would otherwise fill the list with copies of a control.
            guard device.perform(.queryControl, &query) == nil, query.id > id else { return }
            id = query.id
            body(query)
        }
    }

    private static func isAvailable(_ query: v4l2_query_ext_ctrl) -> Bool {
        query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 && query.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue
    }

    /// The controls whose changes are reported, in the driver's order: the settable controls except buttons, and the
    /// privacy shutter.
    func watchableControls() -> [(id: UInt32, name: String)] {
        var names: [(id: UInt32, name: String)] = []
        forEach { query in
            let isButton = query.type == V4L2_CTRL_TYPE_BUTTON.rawValue
            let isReadOnly = query.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0
            guard Self.isAvailable(query), !isButton, !isReadOnly || query.id == UInt32(V4L2_CID_PRIVACY) else {
                return
            }
            names.append((query.id, CameraControl.name(fromLabel: text(of: query.name))))
        }
        return names
    }

    /// The control with the V4L2 identifier `id`; nil when the camera lacks it or has disabled it.
    func control(_ id: UInt32) -> CameraControl? {
        var query = v4l2_query_ext_ctrl()
        query.id = id
        return device.perform(.queryControl, &query) == nil ? describe(query) : nil
    }

    /// The present values of some controls, keyed by control ID.
    ///
    /// Unreadable controls are left out.
    func values(of controls: [CameraControl]) -> [UInt32: Int] {
        var values: [UInt32: Int] = [:]
        for control in controls { values[control.id] = value(of: control) }
        return values
    }

    /// The error for a missing control, which suggests the control with the most similar name.
    func missing(_ name: String, among controls: [CameraControl]) -> CaptureError {
        let near = controls.map(\.name).min {
            CameraDirectory.distance(name, $0) < CameraDirectory.distance(name, $1)
        }
        return CaptureError(
            .invalidSetting, device: device.path, operation: "find the control \(name)",
            reason: "this camera does not have this control", hint: near.map { "the most similar name is \($0)" })
    }

    /// Sets controls together, all or none, and reads back the values.
    ///
    /// - Parameter settings: Names and values, in the order of setting.
    /// - Returns: The controls' new values, in the same order.
    /// - Throws: ``CaptureError`` when a control is missing or refuses its value; then the former values are restored,
    ///   as far as the camera permits.
    @discardableResult
    func set(_ settings: [(name: String, value: Int)]) throws(CaptureError) -> [Int] {
        let batch = try ControlBatch(settings, self)
        try batch.set()
        return zip(batch.controls, settings).map { value(of: $0) ?? $1.value }
    }

    /// Applies adjustments, such as an exposure time, through the controls that the camera has for them.
    ///
    /// - Parameters:
    ///   - wish: The requested adjustments.
    ///   - leavesZoom: True to cap the zoom at the range of the camera's zoom control, because a crop provides the
    ///     rest.
    ///   - onRefused: Receives the error when any adjustment is unsupported or refused, and no adjustment is made then.
    ///     If nil, the error is thrown.
    /// - Returns: The names and values of the controls that were set.
    /// - Throws: ``CaptureError`` when the camera is gone, or for a refusal without `onRefused`; then nothing is set.
    @discardableResult
    func adjust(
        _ wish: CameraAdjustments, leavesZoom: Bool = false, onRefused: ((CaptureError) -> Void)? = nil
    ) throws(CaptureError) -> [(name: String, value: Int)] {
        guard !wish.isEmpty else { return [] }
        do throws(CaptureError) {
            let plan = try AdjustmentPlan(wish, controls(), device: device.path, leavesZoom: leavesZoom)
            try set(plan.settings)
            return plan.settings
        } catch {
            guard let onRefused, error.kind != .disconnected else { throw error }
            onRefused(error)
            return []
        }
    }

    /// Sets controls one by one, and tries each refused setting again after the others.
    ///
    /// Switches off the dynamic frame rate first; see ``keepFrameRateInTheDark()``.
    ///
    /// - Parameters:
    ///   - settings: Names and values.
    ///   - onRefused: Receives the error of each control that cannot be set. If nil, the first error is thrown.
    /// - Throws: ``CaptureError`` when the camera is gone, or for the first refusal without `onRefused`.
    func apply(
        _ settings: [(name: String, value: Int)], onRefused: ((CaptureError) -> Void)?
    ) throws(CaptureError) {
        keepFrameRateInTheDark()
        var waiting: [(name: String, value: Int)] = []
        for (name, value) in settings {
            do throws(CaptureError) {
                try set([(name, value)])
            } catch {
                // A manual value may precede the switch that enables it.
                waiting.append((name, value))
            }
        }
        for (name, value) in waiting {
            do throws(CaptureError) {
                try set([(name, value)])
            } catch {
                guard let onRefused, error.kind != .disconnected else { throw error }
                onRefused(error)
            }
        }
    }

    /// Switches off the dynamic frame rate, with which automatic exposure lowers the rate in the dark.
    ///
    /// The call has no effect for a camera without the control.
    func keepFrameRateInTheDark() {
        guard let priority = control(UInt32(V4L2_CID_EXPOSURE_AUTO_PRIORITY)),
            priority.refusal(of: 0, mayBeInactive: true) == nil
        else { return }
        // A camera that refuses the setting still delivers frames; the measured frame rate shows the effect.
        device.tryToSet(priority, to: 0)
    }

    /// Advice for a camera below its rate: in the dark, exposures may last longer than the frame interval.
    var rateHint: String {
        guard let priority = control(UInt32(V4L2_CID_EXPOSURE_AUTO_PRIORITY)) else {
            return "the scene may be too dark for the camera: more light, or a shorter exposure, helps"
        }
        return "in the dark, the camera's control \(priority.name) may lower the rate: v4l2-ctl -d \(device.path) "
            + "-c \(priority.name)=0 prevents that; else more light, or a shorter exposure, helps"
    }

    private func describe(_ query: v4l2_query_ext_ctrl) -> CameraControl? {
        let flags = query.flags
        guard Self.isAvailable(query) else { return nil }
        let label = text(of: query.name)
        let kind = kind(of: query)
        let isWriteOnly = flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) != 0
        return CameraControl(
            name: CameraControl.name(fromLabel: label), label: label, kind: kind, range: range(of: query, kind),
            step: Int(clamping: query.step),
            defaultValue: Int(query.default_value),
            value: isWriteOnly ? nil : value(of: query.id, kind),
            isReadOnly: flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0,
            isInactive: flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0, id: query.id)
    }

    /// The control's range, clamped to 32 bits whatever the driver reports.
    private func range(of query: v4l2_query_ext_ctrl, _ kind: CameraControl.Kind) -> ClosedRange<Int> {
        if kind == .bitmask { return 0...Int(UInt32(truncatingIfNeeded: query.maximum)) }
        let (low, high) = (Int(Int32(clamping: query.minimum)), Int(Int32(clamping: query.maximum)))
        return low...max(low, high)
    }

    private func kind(of query: v4l2_query_ext_ctrl) -> CameraControl.Kind {
        guard query.flags & UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD) == 0 else { return .other }
        switch v4l2_ctrl_type(query.type) {
        case V4L2_CTRL_TYPE_INTEGER: return .integer
        case V4L2_CTRL_TYPE_BOOLEAN: return .boolean
        case V4L2_CTRL_TYPE_BUTTON: return .button
        case V4L2_CTRL_TYPE_BITMASK: return .bitmask
        case V4L2_CTRL_TYPE_MENU: return .menu(menuItems(of: query, areNumbers: false))
        case V4L2_CTRL_TYPE_INTEGER_MENU: return .integerMenu(menuItems(of: query, areNumbers: true))
        default: return .other
        }
    }

    private func menuItems(of query: v4l2_query_ext_ctrl, areNumbers: Bool) -> [CameraControl.MenuItem] {
        guard query.minimum >= 0, query.maximum >= query.minimum, query.maximum < Self.limit else { return [] }
        return (query.minimum...query.maximum).compactMap { index in
            var item = v4l2_querymenu()
            item.id = query.id
            item.index = UInt32(index)
            // Menus have holes: a camera offers only some of the standard's choices.
            guard device.perform(.queryMenu, &item) == nil else { return nil }
            return CameraControl.MenuItem(
                value: Int(index), label: areNumbers ? String(item.value) : text(of: item.name))
        }
    }

    /// The present value; nil when it cannot be read, and for a control that had no value when it was listed.
    private func value(of control: CameraControl) -> Int? {
        control.value == nil ? nil : value(of: control.id, control.kind)
    }

    private func value(of id: UInt32, _ kind: CameraControl.Kind) -> Int? {
        guard kind != .button, kind != .other else { return nil }
        var argument = v4l2_control(id: id, value: 0)
        guard device.perform(.getControl, &argument) == nil else { return nil }
        return kind == .bitmask ? Int(UInt32(bitPattern: argument.value)) : Int(argument.value)
    }
}

extension V4L2Device {
    /// Sets a control, and ignores a refusal.
    func tryToSet(_ control: CameraControl, to value: Int) {
        var argument = v4l2_control(id: control.id, value: Int32(truncatingIfNeeded: value))
        _ = perform(.setControl, &argument)
    }
}
