/// A program that has a device node open.
package struct NodeHolder: Hashable, Sendable, CustomStringConvertible {
    /// The program's name, as `ps` shows it; `?` when the name cannot be read.
    package let name: String
    /// The program's process ID.
    package let process: Int

    package init(name: String, process: Int) {
        self.name = name
        self.process = process
    }

    package var description: String { "\(name) (process \(process))" }
}

extension CameraDirectory {
    /// The other programs that have a camera open; programs that this process may not inspect are left out.
    package func holders(of camera: CameraDevice) -> [NodeHolder] {
        NodeProblems(calls: calls).holders(of: camera.path)
    }

    /// The speed of a camera's USB link.
    ///
    /// Units: megabits a second. Nil for cameras on other buses, and when the kernel reports no speed.
    package func usbSpeed(of camera: CameraDevice) -> Int? {
        guard camera.usb != nil, let node = camera.path.split(separator: "/").last else { return nil }
        return calls.text(of: "/sys/class/video4linux/\(node)/device/../speed").flatMap { Int($0) }
    }
}
