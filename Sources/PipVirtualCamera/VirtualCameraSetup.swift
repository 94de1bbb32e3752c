/// The commands that make virtual cameras.
public enum VirtualCameraSetup {
    /// The command that installs the driver, on Debian and Ubuntu.
    public static let installation = "sudo apt-get install v4l2loopback-dkms"

    /// The command that makes one until the next start of the machine.
    ///
    /// - Parameters:
    ///   - number: Its place, `/dev/videoNUMBER`.
    ///   - label: The name under which programs list it.
    /// - Returns: A line for a shell.
    public static func command(number: Int = 10, label: String = "pip-compose") -> String {
        "sudo modprobe v4l2loopback \(options(number, label).joined(separator: " "))"
    }

    /// The commands that make one at every start of the machine.
    ///
    /// - Parameters:
    ///   - number: Its place, `/dev/videoNUMBER`.
    ///   - label: The name under which programs list it.
    /// - Returns: Lines for a shell.
    public static func lasting(number: Int = 10, label: String = "pip-compose") -> [String] {
        let options = ["video_nr=\(number)", "exclusive_caps=1", "card_label=\"\(label)\""].joined(separator: " ")
        return [
            "echo v4l2loopback | sudo tee /etc/modules-load.d/v4l2loopback.conf",
            "echo 'options v4l2loopback \(options)' | sudo tee /etc/modprobe.d/v4l2loopback.conf",
        ]
    }

    /// The command that loads the driver anew: it makes its devices when it is loaded, and no more later.
    static func reload(number: Int, label: String) -> String {
        "sudo modprobe -r v4l2loopback && \(command(number: number, label: label))"
    }

    private static func options(_ number: Int, _ label: String) -> [String] {
        // The shell takes one pair of quotes away, the module another.
        let quoted = label.contains(" ") ? "'card_label=\"\(label)\"'" : "card_label=\(label)"
        return ["video_nr=\(number)", "exclusive_caps=1", quoted]
    }
}
