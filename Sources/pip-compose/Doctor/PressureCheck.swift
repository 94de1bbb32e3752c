import PipCompose
import PipPressure
import PipRig

/// Reads the sensors of heat, power and load, and reports their levels.
struct PressureCheck {
    private let sensors: PressureSensors
    private let hasStalls: Bool

    /// Finds the sensors below a root folder.
    ///
    /// - Parameters:
    ///   - root: The folder that stands for `/`.
    ///   - thresholds: The policy's thresholds, keyed by the name of the thermometer.
    init(root: String = "/", thresholds: [String: LevelThresholds] = [:]) {
        var sensors = PressureSensors(root: root)
        sensors.use(thresholds)
        self.init(files: RootedFiles(root: root), sensors: sensors)
    }

    init(files: any SensorFiles, sensors: PressureSensors) {
        self.sensors = sensors
        hasStalls = (try? files.text(of: "proc/pressure/cpu")) != nil
    }

    var findings: [Finding] {
        var sensors = sensors
        var assessment = PressureAssessment()
        var state = PressureState()
        var problems: [SensorProblem] = []
        // A level below critical takes effect at the second reading, so the check reads twice.
        for second in 0...1 {
            let now = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
            let (samples, found) = sensors.read(now: now)
            state = assessment.assess(samples, load: LoadSample(), now: now)
            problems += found
        }
        let readings = state.readings.filter { $0.source != PressureAssessment.deadlines }
        problems += sensors.silent(now: Timestamp(nanoseconds: 2_000_000_000))
        return Subject.allCases.flatMap { subject in
            subject.findings(readings.filter { Subject(of: $0.factor) == subject })
        } + (hasStalls ? [] : [Self.noStalls]) + problems.map(Self.finding)
    }

    private static let noStalls = Finding(
        subject: "load", severity: .note,
        detail:
            "the kernel reports no pressure stall information (no /proc/pressure), so that waits for processors, memory"
            + " and disks cannot be seen: only missed frames show that there is too much work",
        remedy: "add psi=1 to the kernel's command line (Raspberry Pi: /boot/firmware/cmdline.txt) and restart")

    private static func finding(_ problem: SensorProblem) -> Finding {
        Finding(subject: "sensor", severity: .note, detail: "\(problem)")
    }
}

/// The subject of a group of readings in the findings.
private enum Subject: String, CaseIterable {
    case heat, power, load

    init(of factor: PressureFactor) {
        switch factor {
        case .systemTemperature, .gpuTemperature, .cameraTemperature: self = .heat
        case .peakPower, .batteryStress: self = .power
        case .cpuPressure, .memoryPressure, .ioPressure: self = .load
        }
    }

    /// One finding for all nominal readings together, and one for each raised reading.
    ///
    /// Heat has a finding even without readings.
    func findings(_ readings: [PressureReading]) -> [Finding] {
        let calm = readings.filter { $0.level == .nominal }
        let raised = readings.filter { $0.level > .nominal }.map { reading in
            Finding(
                subject: rawValue, severity: reading.level >= .serious ? .problem : .note,
                detail: "\(reading.level): \(reading)", remedy: remedy(for: reading.factor))
        }
        guard !readings.isEmpty else { return self == .heat ? [Self.noThermometer] : [] }
        let list = calm.map(\.description).joined(separator: "; ")
        return raised + (calm.isEmpty ? [] : [Finding(subject: rawValue, severity: .ok, detail: list)])
    }

    private static let noThermometer = Finding(
        subject: "heat", severity: .note,
        detail:
            "no thermal zone and no hardware monitor: heat cannot be seen, only missed frames show that the machine"
            + " slows down",
        remedy:
            "sudo apt-get install lm-sensors && sudo sensors-detect; a virtual machine may have no sensors")

    private func remedy(for factor: PressureFactor) -> String {
        switch factor {
        case .systemTemperature, .gpuTemperature, .cameraTemperature: "cool the device with a fan or shade"
        case .peakPower: "use a stronger power supply or a shorter cable"
        case .batteryStress: "connect the charger"
        case .cpuPressure: "end other programs that compute: top lists them"
        case .memoryPressure: "end other programs that take memory: top -o %MEM lists them"
        case .ioPressure: "write to another disk, or end other programs that write: sudo iotop lists them"
        }
    }
}
