internal import Glibc
internal import PipFrames
internal import SystemPackage

/// An accelerometer of the kernel's Industrial I/O, read again and again by its files in sysfs.
///
/// The device's buffer would need a trigger, which is root's to set, and at this rate saves nothing that matters.
///
/// Source: Linux ABI, `sysfs-bus-iio`.
struct Accelerometer: OpenInput {
    /// The time from one reading to the next: 100 readings a second.
    static let interval = Duration.milliseconds(10)
    private static let axes = ["x", "y", "z"]

    private struct Axis {
        let path: String
        let file: InputDescriptor
        let offset: Double
        /// The scale in g a step.
        let scale: Double
    }

    private let name: String
    private let measured: [Axis]
    private var gravity = GravityFilter()

    var descriptors: [CInt] { [] }
    var interval: Duration? { Self.interval }
    var missing: InputProblem? { nil }

    /// Opens the first accelerometer, or the one of a name or a part of a name.
    init(_ wanted: String?, _ devices: any InputDevices) throws(InputProblem) {
        let found = Self.devices(devices)
        guard let device = Self.choice(wanted, among: found) else {
            let names = found.map(Self.name).joined(separator: ", ")
            throw InputProblem(
                wanted.map { "no accelerometer is named \($0)\(names.isEmpty ? "" : "; there are \(names)")" }
                    ?? "the machine has no accelerometer in \(Self.folder(devices))")
        }
        name = Self.name(of: device)
        var measured: [Axis] = []
        for axis in Self.axes { measured.append(try Self.axis(axis, of: device, devices)) }
        self.measured = measured
        // A sensor that has no number now is told once, and not as back and missing each time that it is opened.
        for axis in measured { _ = try Self.number(in: axis) }
    }

    mutating func read(at now: Timestamp, _ take: (InputReading, Timestamp) -> Void) throws(InputProblem) {
        var reading = SIMD3<Double>()
        for (index, axis) in measured.enumerated() {
            reading[index] = (try Self.number(in: axis) + axis.offset) * axis.scale
        }
        take(.acceleration(gravity.take(reading, at: now)), now)
    }

    private static func folder(_ devices: any InputDevices) -> String { "\(devices.root)sys/bus/iio/devices" }

    /// The folders of the machine's accelerometers in sysfs, in the order of their numbers.
    static func devices(_ devices: any InputDevices) -> [String] {
        let folder = folder(devices)
        return KernelInputs.numbered("iio:device", in: folder).map { "\(folder)/\($0)" }.filter { device in
            axes.allSatisfy { unsafe access("\(device)/in_accel_\($0)_raw", F_OK) == 0 }
        }
    }

    static func name(of device: String) -> String {
        FileContents.text(of: "\(device)/name") ?? String(device.split(separator: "/").last ?? "")
    }

    /// The device of a name: a whole name or label takes precedence over a part of a name.
    private static func choice(_ wanted: String?, among devices: [String]) -> String? {
        guard let wanted else { return devices.first }
        let whole = devices.first { device in
            device.hasSuffix("/\(wanted)") || name(of: device) == wanted
                || FileContents.text(of: "\(device)/label") == wanted
        }
        return whole ?? devices.first { name(of: $0).lowercased().contains(wanted.lowercased()) }
    }

    private static func axis(
        _ axis: String, of device: String, _ devices: any InputDevices
    ) throws(InputProblem) -> Axis {
        /// The axis's own value, else the value that all axes share.
        func value(_ name: String, orElse usual: Double) -> Double {
            let texts = ["\(device)/in_accel_\(axis)_\(name)", "\(device)/in_accel_\(name)"].lazy
                .compactMap { FileContents.text(of: $0) }
            return texts.first.flatMap(Double.init) ?? usual
        }
        let path = "\(device)/in_accel_\(axis)_raw"
        do throws(Errno) {
            // The kernel's unit is m/s².
            return Axis(
                path: path, file: try devices.open(path), offset: value("offset", orElse: 0),
                scale: value("scale", orElse: 1) / 9.80665)
        } catch { throw InputProblem("\(path): cannot read the accelerometer: \(error)") }
    }

    private static func number(in axis: Axis) throws(InputProblem) -> Double {
        let (text, error) = unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            let count = unsafe pread(axis.file.number, buffer.baseAddress, buffer.count, 0)
            let cause = count < 0 ? errno : 0
            let bytes = unsafe buffer.prefix(max(0, count)).prefix { $0 > UInt8(ascii: " ") }
            return (unsafe String(decoding: bytes, as: UTF8.self), cause)
        }
        if error == ENODEV { throw InputProblem("\(axis.path): the accelerometer is gone") }
        if error != 0 {
            throw InputProblem("\(axis.path): cannot read the accelerometer: \(Errno(rawValue: error))")
        }
        guard let number = Double(text), number.isFinite else {
            throw InputProblem("\(axis.path): is no number")
        }
        return number
    }
}
