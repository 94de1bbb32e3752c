internal import CV4L2
internal import PipFrames
internal import SystemPackage

extension FakeNode {
    func getSelection(_ selection: inout v4l2_selection) -> Errno? {
        guard let sensor = camera.sensor else { return .invalidArgument }
        let whole = v4l2_rect(left: 0, top: 0, width: UInt32(sensor.width), height: UInt32(sensor.height))
        selection.r = selection.target == UInt32(V4L2_SEL_TGT_CROP) ? camera.crop ?? whole : whole
        return nil
    }

    mutating func setSelection(_ selection: inout v4l2_selection) -> Errno? {
        guard let sensor = camera.sensor, selection.target == UInt32(V4L2_SEL_TGT_CROP) else { return .invalidArgument }
        let (right, bottom) = (
            Int(selection.r.left) + Int(selection.r.width), Int(selection.r.top) + Int(selection.r.height)
        )
        guard selection.r.left >= 0, selection.r.top >= 0, right <= sensor.width, bottom <= sensor.height else {
            return .invalidArgument
        }
        camera.crop = selection.r
        if !camera.scales { size = PixelSize(Int(selection.r.width), Int(selection.r.height)) }
        return nil
    }

    func queryControl(_ query: inout v4l2_query_ext_ctrl) -> Errno? {
        let wantsNext = query.id & V4L2_CTRL_FLAG_NEXT_CTRL != 0
        let id = query.id & ~V4L2_CTRL_FLAG_NEXT_CTRL
        let controls = camera.controls.sorted { $0.id < $1.id }
        guard let control = controls.first(where: { wantsNext ? $0.id > id : $0.id == id })
        else { return .invalidArgument }
        query.id = control.id
        query.type = control.type.rawValue
        write(control.name, to: &query.name)
        query.minimum = Int64(control.minimum)
        query.maximum = Int64(control.maximum)
        query.step = UInt64(control.step)
        query.default_value = Int64(control.defaultValue)
        query.flags = control.flags
        return nil
    }

    func queryMenu(_ item: inout v4l2_querymenu) -> Errno? {
        guard let control = camera.controls.first(where: { $0.id == item.id }),
            let entry = control.menu[Int(item.index)]
        else { return .invalidArgument }
        if control.type == V4L2_CTRL_TYPE_INTEGER_MENU {
            item.value = Int64(entry) ?? 0
        } else {
            write(entry, to: &item.name)
        }
        return nil
    }

    func getControl(_ argument: inout v4l2_control) -> Errno? {
        guard let control = camera.controls.first(where: { $0.id == argument.id }) else { return .invalidArgument }
        argument.value = Int32(truncatingIfNeeded: control.value)
        return nil
    }

    /// Checks a batch of settings, as the kernel does.
    ///
    /// If a setting is invalid, `error_idx` is its index in the batch.
    ///
    /// Source: Linux userspace API, "ioctl VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS, VIDIOC_TRY_EXT_CTRLS".
    func tryControls(_ batch: inout v4l2_ext_controls) -> Errno? {
        guard camera.hasExtendedControls else { return .inappropriateIOCTLForDevice }
        for (index, wish) in unsafe Self.wishes(batch).enumerated() {
            unsafe batch.error_idx = UInt32(index)
            guard let control = camera.controls.first(where: { $0.id == wish.id }) else { return .invalidArgument }
            if control.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 { return .permissionDenied }
            if !control.menu.isEmpty, control.menu[Int(wish.value)] == nil { return .invalidArgument }
        }
        return nil
    }

    /// Sets the controls one after another, as a USB camera does, until the device refuses one.
    ///
    /// Sets no control of a batch that the driver refuses.
    mutating func setControls(_ batch: inout v4l2_ext_controls) -> Errno? {
        if let errno = unsafe tryControls(&batch) {
            unsafe batch.error_idx = batch.count
            return errno
        }
        for (index, wish) in unsafe Self.wishes(batch).enumerated() {
            if camera.stalledControl == wish.id {
                unsafe batch.error_idx = UInt32(index)
                return .brokenPipe
            }
            var wish = wish
            _ = setControl(&wish)
        }
        return nil
    }

    private static func wishes(_ batch: v4l2_ext_controls) -> [v4l2_control] {
        unsafe (0..<Int(batch.count)).map {
            unsafe v4l2_control(id: batch.controls[$0].id, value: batch.controls[$0].value)
        }
    }

    mutating func setControl(_ argument: inout v4l2_control) -> Errno? {
        guard let index = camera.controls.firstIndex(where: { $0.id == argument.id }) else { return .invalidArgument }
        let control = camera.controls[index]
        // A button's value counts in the fake kernel how often the button was pressed.
        if control.type == V4L2_CTRL_TYPE_BUTTON {
            camera.controls[index].value &+= 1
            return nil
        }
        // Real drivers clamp a value that is out of range, and do not refuse it.
        camera.controls[index].value = min(max(Int(argument.value), control.minimum), control.maximum)
        return nil
    }
}
