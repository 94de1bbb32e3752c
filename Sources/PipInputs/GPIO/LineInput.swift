internal import CPlatform
internal import PipFrames
internal import SystemPackage

/// An open line of a ``LineRequest``.
struct LineInput: OpenInput {
    /// The largest number of records of one read; the kernel's queue of a line has 16.
    private static let mostRecords = 64

    /// The time from one look at the chip to the next.
    ///
    /// Before Linux 6.6, the descriptor of a line does not become readable when its chip is gone.
    private static let watchInterval = Duration.seconds(1)

    private let path: String
    private let line: InputDescriptor
    private let chip: InputDescriptor
    private let devices: any InputDevices
    private var lastWatch = Timestamp.zero

    var descriptors: [CInt] { [line.number] }
    var interval: Duration? { Self.watchInterval }
    var missing: InputProblem? { nil }

    /// Finds the chip and requests the line.
    init(_ request: LineRequest, _ devices: any InputDevices) throws(InputProblem) {
        let chip = try Self.chip(request.chip, devices)
        (path, self.chip, self.devices) = (chip.path, chip.device, devices)
        guard request.number < chip.lines else {
            throw InputProblem("\(path) has \(chip.lines) lines, and the first one is 0: there is no \(request.number)")
        }
        do throws(Errno) { line = try devices.request(request, chip.device) } catch {
            let subject = "\(path), line \(request.number)"
            switch error {
            case .resourceBusy:
                let user = (try? devices.line(request.number, of: chip.device))?.user
                throw InputProblem("\(subject): in use\(user.map { " by \($0)" } ?? "")")
            case .inappropriateIOCTLForDevice: throw InputProblem("\(subject): needs Linux 5.10 or newer")
            default: throw InputProblem("\(subject): the chip refuses edges, or the bias: \(error)")
            }
        }
    }

    mutating func read(at now: Timestamp, _ take: (InputReading, Timestamp) -> Void) throws(InputProblem) {
        let events: [gpio_v2_line_event]
        do throws(Errno) {
            events = try line.read(gpio_v2_line_event.self, limit: Self.mostRecords)
            if lastWatch.duration(to: now) >= Self.watchInterval {
                lastWatch = now
                _ = try devices.describe(chip)
            }
        } catch { throw InputProblem(path, .chip, error) }
        for event in events {
            let isActive = event.id == GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue
            take(.edge(isActive: isActive), min(now, Timestamp(nanoseconds: Int64(clamping: event.timestamp_ns))))
        }
    }

    private struct Chip {
        let path: String
        let device: InputDescriptor
        let label: String
        let lines: UInt32

        init(_ path: String, _ devices: any InputDevices) throws(InputProblem) {
            do throws(Errno) {
                device = try devices.open(path)
                (label, lines) = try devices.describe(device)
                self.path = path
            } catch { throw InputProblem(path, .chip, error) }
        }
    }

    /// Opens a chip by its path, its name or its label.
    ///
    /// The labels are those of the drivers, and stay the same where the numbers of the chips depend on the kernel.
    private static func chip(_ name: String, _ devices: any InputDevices) throws(InputProblem) -> Chip {
        if name.hasPrefix("/") { return try Chip(name, devices) }
        let paths = devices.chips()
        if let path = paths.first(where: { $0 == "/dev/\(name)" }) { return try Chip(path, devices) }
        var problem: InputProblem?
        var known: [String] = []
        for path in paths {
            do throws(InputProblem) {
                let chip = try Chip(path, devices)
                if chip.label == name { return chip }
                known.append("\(path.dropFirst("/dev/".count)) (\(chip.label))")
            } catch { problem = problem ?? error }
        }
        let others = known.isEmpty ? "" : "; there are \(known.prefix(8).joined(separator: ", "))"
        throw problem ?? InputProblem("no GPIO chip is named \(name)\(others)")
    }
}
