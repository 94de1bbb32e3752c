internal import CV4L2
internal import SystemPackage

extension FakeNode {
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
        argument.value = Int32(control.value)
        return nil
    }

    mutating func setControl(_ argument: inout v4l2_control) -> Errno? {
        guard let index = camera.controls.firstIndex(where: { $0.id == argument.id }) else { return .invalidArgument }
        let control = camera.controls[index]
        // Drivers clamp rather than refuse.
        camera.controls[index].value = min(max(Int(argument.value), control.minimum), control.maximum)
        return nil
    }
}
