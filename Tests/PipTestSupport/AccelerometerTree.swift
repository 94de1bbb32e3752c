import Foundation

/// A folder with accelerometers in place of `/`, as the kernel shows them in sysfs.
///
/// A raw number of 16384 is 1 g.
package final class AccelerometerTree: Sendable {
    private let folder: TemporaryFolder

    /// Creates a tree without an accelerometer.
    package init() throws { folder = try TemporaryFolder() }

    /// The folder in place of `/`.
    package var root: String { folder.url.path }

    private func path(_ number: Int) -> URL { folder.url.appending(path: "sys/bus/iio/devices/iio:device\(number)") }

    /// Adds a device; nil for the axes makes one that is no accelerometer.
    package func add(_ number: Int, _ name: String, axes: [Int]?) throws {
        try FileManager.default.createDirectory(at: path(number), withIntermediateDirectories: true)
        try write("\(name)\n", to: number, "name")
        guard let axes else { return }
        try write("0.000598550415\n", to: number, "in_accel_scale")
        try write("-100\n", to: number, "in_accel_x_offset")
        try set(number, axes: axes)
    }

    /// Sets the readings of a device; its raw numbers also have its offset.
    package func set(_ number: Int, axes: [Int]) throws {
        for (name, value) in zip(["x", "y", "z"], [axes[0] + 100, axes[1], axes[2]]) {
            try write("\(value)".padding(toLength: 8, withPad: "\n", startingAt: 0), to: number, "in_accel_\(name)_raw")
        }
    }

    /// Writes the beginning of a file, which is never empty for a reader.
    package func write(_ text: String, to number: Int, _ name: String) throws {
        let file = path(number).appending(path: name)
        if !FileManager.default.fileExists(atPath: file.path) { try Data(text.utf8).write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }
}
