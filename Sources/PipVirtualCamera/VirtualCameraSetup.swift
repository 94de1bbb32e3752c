/// The shell commands that create virtual cameras, for programs to show to their users.
public enum VirtualCameraSetup {
    /// The command that installs the driver, on Debian and Ubuntu.
    public static let installation = "sudo apt-get install v4l2loopback-dkms"

    /// The command that creates a virtual camera, which lasts until the machine is restarted.
    ///
    /// The command has no effect while the driver is loaded.
    ///
    /// - Parameters:
    ///   - number: The number of the device node, `/dev/videoNUMBER`.
    ///   - label: The name in other programs' lists of cameras.
    /// - Returns: A line for a shell.
    public static func command(number: Int = 10, label: String = "pip-compose") -> String {
        "sudo modprobe v4l2loopback \(options(number, label).joined(separator: " "))"
    }

    /// The commands that make the machine create a virtual camera at every start.
    ///
    /// - Parameters:
    ///   - number: The number of the device node, `/dev/videoNUMBER`.
    ///   - label: The name in other programs' lists of cameras.
    /// - Returns: Lines for a shell.
    public static func lasting(number: Int = 10, label: String = "pip-compose") -> [String] {
        let options = ["video_nr=\(number)", "exclusive_caps=1", "card_label=\"\(label)\""].joined(separator: " ")
        return [
            "echo v4l2loopback | sudo tee /etc/modules-load.d/v4l2loopback.conf",
            "echo 'options v4l2loopback \(options)' | sudo tee /etc/modprobe.d/v4l2loopback.conf",
        ]
    }

    /// The command that unloads the driver with all its devices, and loads the driver with one device.
    static func reload(number: Int, label: String) -> String {
        "sudo modprobe -r v4l2loopback && \(command(number: number, label: label))"
    }

    private static func options(_ number: Int, _ label: String) -> [String] {
        // The shell removes one pair of quotation marks, and the kernel another.
        let quoted = label.contains(" ") ? "'card_label=\"\(label)\"'" : "card_label=\(label)"
        return ["video_nr=\(number)", "exclusive_caps=1", quoted]
    }
}
