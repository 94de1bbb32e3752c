/// The accelerometer of a device with built-in cameras, read from the kernel's Industrial I/O files in sysfs.
///
/// Source: Linux ABI, `sysfs-bus-iio`.
struct Accelerometer {
    private static let devices = "/sys/bus/iio/devices"

    private let calls: any V4L2Calls
    private let folder: String
    /// The rows of the mount matrix, which maps the sensor's axes to those of the device.
    private let matrix: [[Double]]

    /// Finds the machine's first accelerometer; returns nil when the machine has none.
    init?(_ calls: any V4L2Calls) {
        self.calls = calls
        let folders = calls.names(in: Self.devices).sorted().map { "\(Self.devices)/\($0)" }
        guard let folder = folders.first(where: { Self.axes(calls, $0) != nil }) else { return nil }
        self.folder = folder
        let files = ["in_accel_mount_matrix", "in_mount_matrix"].lazy.compactMap { calls.text(of: "\(folder)/\($0)") }
        let told = Self.databaseMatrix(calls, folder).flatMap(Self.matrix) ?? files.first.flatMap(Self.matrix)
        matrix = told ?? [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    }

    /// The sensor's mount matrix in udev's hardware database; nil when the database has no entry for this device model.
    ///
    /// Source: systemd, `60-sensor.hwdb`. The function reads the same files as `udevadm info`.
    private static func databaseMatrix(_ calls: any V4L2Calls, _ folder: String) -> String? {
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        let number = calls.text(of: "\(folder)/dev").map { "c\($0)" }
        let files = [number, "+iio:\(name)"].compactMap(\.self).map { "/run/udev/data/\($0)" }
        let lines = files.lazy.compactMap { calls.text(of: $0) }.first?.split(separator: "\n") ?? []
        let key = "E:ACCEL_MOUNT_MATRIX="
        return lines.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
    }

    /// The sensor's raw readings for the axes x, y and z; nil when one of them cannot be read.
    ///
    /// Units: the driver's.
    private static func axes(_ calls: any V4L2Calls, _ folder: String) -> [Double]? {
        let raw = ["x", "y", "z"].compactMap { calls.text(of: "\(folder)/in_accel_\($0)_raw").flatMap(Double.init) }
        return raw.count == 3 ? raw : nil
    }

    /// Parses a matrix in the kernel's form, `0, 1, 0; 1, 0, 0; 0, 0, -1`; returns nil for other texts.
    private static func matrix(_ text: String) -> [[Double]]? {
        let rows = text.split(separator: ";").map { row in
            row.split { $0 == "," || $0 == " " }.compactMap { Double($0) }
        }
        return rows.count == 3 && rows.allSatisfy { $0.count == 3 } ? rows : nil
    }

    /// The present orientation of the device.
    ///
    /// - Parameter last: The previous orientation, which holds until the device has turned clearly.
    /// - Returns: The orientation; nil when the sensor has no reading, or measures no gravity.
    func orientation(after last: DeviceOrientation?) -> DeviceOrientation? {
        guard let raw = Self.axes(calls, folder) else { return nil }
        let turned = matrix.map { row in zip(row, raw).reduce(0) { $0 + $1.0 * $1.1 } }
        return DeviceOrientation(x: turned[0], y: turned[1], z: turned[2], after: last)
    }
}
