internal import PipFrames
internal import SystemPackage

/// The devices of this machine that triggers can read, each with the reason why it may not be read.
package struct InputSurvey: Sendable {
    /// An event device: a keyboard, a pedal or a button.
    package struct KeyDevice: Sendable, Equatable {
        package let path: String
        /// The kernel's name; empty for a device without one.
        package let name: String
        /// The device's keys, in the order of their numbers; empty for a device that may not be read.
        package var keys: [KeyCode] = []
        package var problem: InputProblem?
    }

    /// A GPIO chip.
    package struct Chip: Sendable, Equatable {
        package let path: String
        /// The label that the chip's driver gives.
        package var label = ""
        package var lineCount: UInt32 = 0
        /// The lines that have a name or a user.
        package var lines: [GPIOLine] = []
        package var problem: InputProblem?
    }

    /// An accelerometer of the kernel's Industrial I/O.
    package struct Sensor: Sendable, Equatable {
        /// The number of the device: `iio:device0`.
        package let device: String
        package let name: String
        package var problem: InputProblem?
    }

    /// A CAN bus.
    package struct Bus: Sendable, Equatable {
        /// The network interface: `can0`.
        package let interface: String
        package var problem: InputProblem?
    }

    /// The largest number of a chip's lines that are looked at.
    private static let mostLines: UInt32 = 1024

    package let keyDevices: [KeyDevice]
    package let chips: [Chip]
    package let accelerometers: [Sensor]
    package let buses: [Bus]

    /// Looks at all devices, for which each is opened for a moment.
    ///
    /// Event devices without keys, such as lids, are left out.
    package init(_ devices: any InputDevices = KernelInputs()) {
        keyDevices = devices.keyDevices().map { Self.keys($0.path, $0.name, devices) }
            .filter { !$0.keys.isEmpty || $0.problem != nil }
        chips = devices.chips().map { Self.chip($0, devices) }
        accelerometers = Accelerometer.devices(devices).map { path in
            let device = path.split(separator: "/").last.map(String.init) ?? path
            var sensor = Sensor(device: device, name: Accelerometer.name(of: path))
            do throws(InputProblem) { _ = try Accelerometer(device, devices) } catch { sensor.problem = error }
            return sensor
        }
        buses = Self.buses(devices)
    }

    /// The reasons why devices may not be read.
    package var problems: [InputProblem] {
        keyDevices.compactMap(\.problem) + chips.compactMap(\.problem) + accelerometers.compactMap(\.problem)
            + buses.compactMap(\.problem)
    }

    private static func keys(_ path: String, _ name: String, _ devices: any InputDevices) -> KeyDevice {
        var found = KeyDevice(path: path, name: name)
        do throws(Errno) {
            found.keys = try devices.keys(of: devices.open(path)).sorted { $0.number < $1.number }
        } catch { found.problem = InputProblem(path, .keys, error) }
        return found
    }

    /// The network interfaces that are CAN buses.
    ///
    /// Source: `linux/if_arp.h`, `linux/if.h`.
    private static func buses(_ devices: any InputDevices) -> [Bus] {
        let (arphrdCAN, iffUp) = (280, 1)
        return Folder.entries(of: "\(devices.root)sys/class/net").sorted().compactMap { interface in
            let folder = "\(devices.root)sys/class/net/\(interface)"
            guard FileContents.text(of: "\(folder)/type") == "\(arphrdCAN)" else { return nil }
            // The flags are a number such as 0x1003.
            let flags = FileContents.text(of: "\(folder)/flags").flatMap { Int($0.dropFirst(2), radix: 16) } ?? 0
            return Bus(
                interface: interface, problem: flags & iffUp == 0 ? InputProblem(bus: interface, .networkDown) : nil)
        }
    }

    private static func chip(_ path: String, _ devices: any InputDevices) -> Chip {
        var found = Chip(path: path)
        do throws(Errno) {
            let device = try devices.open(path)
            (found.label, found.lineCount) = try devices.describe(device)
            for number in 0..<min(found.lineCount, mostLines) {
                let line = try devices.line(number, of: device)
                if !line.name.isEmpty || line.user != nil { found.lines.append(line) }
            }
        } catch { found.problem = InputProblem(path, .chip, error) }
        return found
    }
}

/// A line of a GPIO chip, as the kernel describes it.
package struct GPIOLine: Sendable, Equatable {
    /// The number of the line, from 0.
    package let number: UInt32
    /// The name of the line; empty for a line without one.
    package let name: String
    /// The program or the driver that uses the line; nil for a free line.
    package let user: String?

    package init(number: UInt32, name: String, user: String?) {
        (self.number, self.name, self.user) = (number, name, user)
    }
}
