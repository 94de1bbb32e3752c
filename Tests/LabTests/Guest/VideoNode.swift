import CV4L2
import PipCompose

/// A device node whose controls a test sets, even while a session streams from the node.
struct VideoNode {
    let path: String
    private let controls: [CameraControl]

    init(_ path: String) throws {
        self.path = path
        let directory = CameraDirectory()
        controls = try directory.controls(of: directory.camera(matching: .path(path)))
    }

    /// Sets a control, or presses it if it is a button.
    func set(_ name: String, to value: Int = 1) throws {
        guard let control = controls.first(where: { $0.name == name }) else {
            throw ProgramFailure(command: "set \(name)", said: "\(path) has no such control")
        }
        var argument = v4l2_control(id: control.id, value: Int32(value))
        try withDescriptor { descriptor in
            let result = unsafe pip_v4l2_ioctl(descriptor, PIP_VIDIOC_S_CTRL, &argument)
            if result < 0 { throw ProgramFailure(command: "set \(name) of \(path)", said: "errno \(-result)") }
        }
    }

    /// The current values of all controls that have a value, keyed by name.
    func values() throws -> [String: Int] {
        let directory = CameraDirectory()
        let controls = try directory.controls(of: directory.camera(matching: .path(path)))
        let named = controls.compactMap { control in control.value.map { (control.name, $0) } }
        return Dictionary(uniqueKeysWithValues: named)
    }

    /// The current values of the named controls, keyed by name; names that the node lacks are left out.
    func values(of names: [String]) throws -> [String: Int] {
        var values: [String: Int] = [:]
        try withDescriptor { descriptor in
            for control in controls where names.contains(control.name) {
                var argument = v4l2_control(id: control.id, value: 0)
                let result = unsafe pip_v4l2_ioctl(descriptor, PIP_VIDIOC_G_CTRL, &argument)
                if result < 0 {
                    throw ProgramFailure(command: "read \(control.name) of \(path)", said: "errno \(-result)")
                }
                values[control.name] = Int(argument.value)
            }
        }
        return values
    }

    /// The current frame size.
    func size() throws -> PixelSize {
        var format = unsafe v4l2_format()
        unsafe format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try withDescriptor { descriptor in
            let result = unsafe pip_v4l2_ioctl(descriptor, PIP_VIDIOC_G_FMT, &format)
            if result < 0 { throw ProgramFailure(command: "read the format of \(path)", said: "errno \(-result)") }
        }
        return unsafe PixelSize(Int(format.fmt.pix.width), Int(format.fmt.pix.height))
    }

    /// Sets the frame rate, even while a session streams from the node.
    func setRate(_ rate: FrameRate) throws {
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        unsafe parameters.parm.capture.timeperframe = v4l2_fract(
            numerator: UInt32(rate.seconds), denominator: UInt32(rate.frames))
        try withDescriptor { descriptor in
            let result = unsafe pip_v4l2_ioctl(descriptor, PIP_VIDIOC_S_PARM, &parameters)
            if result < 0 { throw ProgramFailure(command: "set the rate of \(path)", said: "errno \(-result)") }
        }
    }

    /// Unplugs the camera, which stays unplugged while the caller holds the result.
    ///
    /// The driver plugs the camera in again when the last program has closed its node.
    func disconnect() throws -> Held {
        let held = try Held(path)
        try set("disconnect")
        return held
    }

    /// An open node, which is closed when the object is released.
    final class Held {
        private let descriptor: CInt

        init(_ path: String) throws {
            descriptor = unsafe pip_v4l2_open(path)
            if descriptor < 0 { throw ProgramFailure(command: "open \(path)", said: "errno \(-descriptor)") }
        }

        deinit { _ = pip_v4l2_close(descriptor) }
    }

    /// Opens the node, runs a function, and closes the node.
    func withDescriptor(_ body: (CInt) throws -> Void) throws {
        let descriptor = unsafe pip_v4l2_open(path)
        guard descriptor >= 0 else { throw ProgramFailure(command: "open \(path)", said: "errno \(-descriptor)") }
        defer { _ = pip_v4l2_close(descriptor) }
        try body(descriptor)
    }
}
