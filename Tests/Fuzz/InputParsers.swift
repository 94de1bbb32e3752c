import Glibc
import PipConcurrency
import PipFrames
import PipTestSupport
import SystemPackage

@testable import PipInputs
@testable import PipRig

/// Parses triggers, in the command line's syntax.
struct TriggerParser: Parser {
    let name = "trigger"

    func parse(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = TriggerArgument.shown(text)
        guard let trigger = try? TriggerArgument(text) else { return }
        // Each trigger has something to do, and its text is kept for the configuration.
        precondition(!trigger.actions.isEmpty && trigger.text == text)
    }
}

/// Reads a DBC file, and messages of a bus with its signals.
///
/// The text ends at the first zero byte; each line of the rest is the data of a message.
struct BusParser: Parser {
    let name = "bus"

    func parse(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let database = CANDatabase(String(decoding: parts[0], as: UTF8.self))
        let data = parts.dropFirst().flatMap { $0.split(separator: UInt8(ascii: "\n")) }
        for identifier in database.filters.map(\.identifier) {
            let values = database.values(data.map { CANMessage(identifier, Array($0.prefix(64))) })
            precondition(values.keys.allSatisfy { ValueLine.isName($0) })
        }
    }
}

/// Reads an event device, a GPIO line or an accelerometer.
///
/// The first byte selects the device. The others are the records that the kernel delivers, or the accelerometer's
/// files, with zero bytes between them.
struct InputDeviceParser: Parser {
    let name = "inputs"
    private static let files = ["raw", "offset", "scale"]
    private let tree = try? AccelerometerTree()

    func parse(_ bytes: [UInt8]) {
        guard let kind = bytes.first, let tree else { return }
        let devices = ScriptedInputs(root: "\(tree.root)/", records: Array(bytes.dropFirst()))
        switch kind % 3 {
        case 0:
            guard let key = KeyCode("KEY_A") else { return }
            let request = KeyRequest(device: "a", key: key, isExclusive: true)
            read((try? KeyInput(request, devices)), .key(key, request))
        case 1:
            let request = LineRequest(chip: "gpiochip0", number: 3)
            read((try? LineInput(request, devices)), .line(.both, request))
        default:
            try? tree.add(0, "accel", axes: [0, 0, 0])
            let texts = devices.records.split(separator: 0, omittingEmptySubsequences: false)
            for (name, text) in zip(Self.files, texts) {
                replace("\(tree.root)/sys/bus/iio/devices/iio:device0/in_accel_x_\(name)", Array(text))
            }
            read((try? Accelerometer("accel", devices)), .blow(above: 1, nil, sensor: nil))
        }
    }

    private func replace(_ path: String, _ bytes: [UInt8]) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = unsafe write(file, bytes, bytes.count)
        close(file)
    }

    /// Reads all that an input has, and asks a trigger's cause for its reasons.
    private func read(_ input: (some OpenInput)?, _ cause: InputCause) {
        guard var input else { return }
        for second in 0..<64 {
            do throws(InputProblem) {
                try input.read(at: Timestamp(nanoseconds: Int64(second) * 1_000_000_000)) { reading, _ in
                    _ = cause.reason(for: reading, isHolding: second.isMultiple(of: 2))
                }
            } catch { return }
        }
    }
}

/// Devices that deliver the bytes of an input.
private struct ScriptedInputs: InputDevices {
    let root: String
    let records: [UInt8]

    func keyDevices() -> [(path: String, name: String)] { [("/dev/input/event0", "a")] }

    func open(_ path: String) throws(Errno) -> InputDescriptor {
        if path.hasPrefix(root) { return try KernelInputs().open(path) }
        return try socket()
    }

    /// Opens a socket with the bytes, which has ended after them.
    private func socket() throws(Errno) -> InputDescriptor {
        var ends: [CInt] = [-1, -1]
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        guard unsafe socketpair(AF_UNIX, CInt(kind), 0, &ends) == 0 else { throw Errno(rawValue: errno) }
        _ = unsafe write(ends[1], records, records.count)
        close(ends[1])
        return InputDescriptor(ends[0])
    }

    func keys(of device: InputDescriptor) throws(Errno) -> Set<KeyCode> { Set(["KEY_A"].compactMap { KeyCode($0) }) }

    func select(_ keys: Set<KeyCode>, of device: InputDescriptor) throws(Errno) {}

    func grab(_ device: InputDescriptor) throws(Errno) {}

    func chips() -> [String] { ["/dev/gpiochip0"] }

    func describe(_ chip: InputDescriptor) throws(Errno) -> (label: String, lines: UInt32) { ("a", 8) }

    func line(_ number: UInt32, of chip: InputDescriptor) throws(Errno) -> GPIOLine {
        GPIOLine(number: number, name: "", user: nil)
    }

    func request(_ line: LineRequest, _ chip: InputDescriptor) throws(Errno) -> InputDescriptor { try socket() }

    func bus(_ request: CANRequest) throws(Errno) -> InputDescriptor { try socket() }
}
