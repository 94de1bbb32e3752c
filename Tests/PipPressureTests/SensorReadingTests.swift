import PipFrames
import PipPressure
import Testing

@Suite("Reading sensors")
struct SensorReadingTests {
    private let files = FakeSensors()

    private func samples() -> [String: SensorValue] {
        var sensors = PressureSensors(files: files)
        let samples = sensors.read(now: .zero).samples
        return Dictionary(samples.map { ($0.source, $0.value) }) { first, _ in first }
    }

    @Test("finds a zone's trips of every type, with gaps in their numbers, and takes the lowest of each type")
    func trips() {
        files.addZone(
            7, type: "soc_thermal", celsius: 51.25,
            trips: [
                .init(0, "active", 50, hysteresis: 5), .init(2, "passive", 85, hysteresis: 1),
                .init(3, "passive", 75, hysteresis: 4), .init(9, "hot", 95), .init(11, "critical", 115),
                .init(12, "critical", 0),
            ])
        let limits = TemperatureLimits(
            passive: .init(75, hysteresis: 4), hot: .init(95), critical: .init(115))
        #expect(
            samples() == [
                "thermal_zone7 (soc_thermal)": .temperature(TemperatureSample(celsius: 51.25, limits: limits))
            ])
    }

    @Test(
        "knows the device of a zone by the zone's type",
        arguments: [
            ("cpu-thermal", PressureFactor.systemTemperature), ("gpu-thermal", .gpuTemperature),
            ("GPU-therm", .gpuTemperature), ("cam-thermal", .cameraTemperature), ("acpitz", .systemTemperature),
        ])
    func factors(type: String, factor: PressureFactor) {
        files.addZone(type: type, celsius: 40, trips: [])
        #expect(
            samples()["thermal_zone0 (\(type))"] == .temperature(TemperatureSample(celsius: 40, factor: factor)))
    }

    @Test("an x86 package runs to its limit by design, unless someone has set a passive trip")
    func package() {
        files.addZone(0, type: "x86_pkg_temp", celsius: 90, trips: [.init(0, "passive", 0), .init(1, "passive", -274)])
        files.addZone(1, type: "x86_pkg_temp", celsius: 90, trips: [.init(0, "passive", 80)])
        let found = samples().values.compactMap { value in
            if case .temperature(let sample) = value { sample.runsToItsLimit } else { nil }
        }
        #expect(found.sorted { !$0 && $1 } == [false, true])
    }

    @Test("ignores fans and lamps among the cooling devices")
    func cooling() {
        files.setCooling(0, type: "Fan", state: 1, of: 1)
        files.setCooling(1, type: "pwm-fan", state: 3, of: 4)
        files.setCooling(2, type: "LCD", state: 3, of: 9)
        files.setCooling(3, type: "Processor", state: 2, of: 10)
        files.setCooling(4, type: "intel_powerclamp", state: -1, of: 50)
        files.setCooling(5, type: "devfreq-ff9a0000.gpu", state: 0, of: 5)
        #expect(
            samples() == [
                "cooling_device3 (Processor)": .cooling(state: 2, maximum: 10, baseline: 2, factor: .systemTemperature),
                "cooling_device4 (intel_powerclamp)": .cooling(
                    state: 0, maximum: 50, baseline: 0, factor: .systemTemperature),
                "cooling_device5 (devfreq-ff9a0000.gpu)": .cooling(
                    state: 0, maximum: 5, baseline: 0, factor: .gpuTemperature),
            ])
    }

    @Test("measures a cooling device against the lowest state seen so far")
    func baseline() {
        var sensors = PressureSensors(files: files)
        var seconds: Int64 = 0
        func cooling(_ state: Int) -> SensorValue? {
            files.setCooling(type: "Processor", state: state, of: 10)
            seconds += 1
            return sensors.read(now: Timestamp(nanoseconds: seconds * 1_000_000_000)).samples.first?.value
        }
        #expect(cooling(3) == .cooling(state: 3, maximum: 10, baseline: 3, factor: .systemTemperature))
        #expect(cooling(1) == .cooling(state: 1, maximum: 10, baseline: 1, factor: .systemTemperature))
        #expect(cooling(3) == .cooling(state: 3, maximum: 10, baseline: 1, factor: .systemTemperature))
    }

    @Test("reads hardware monitors with their limits, labels and alarms")
    func monitors() {
        for (name, text) in [
            ("name", "nvme"), ("temp1_input", "40850"), ("temp1_label", "Composite"), ("temp1_max", "84850"),
            ("temp1_crit", "89850"), ("temp1_crit_alarm", "1"), ("temp2_input", "38000"),
            ("temp2_max", "65261850"),
        ] { files.set("sys/class/hwmon/hwmon0/\(name)", text) }
        #expect(
            samples() == [
                "hwmon0 temp1 (nvme Composite)": .temperature(
                    TemperatureSample(
                        celsius: 40.85, limits: TemperatureLimits(critical: .init(89.85)), hasAlarm: true)),
                "hwmon0 temp2 (nvme)": .temperature(TemperatureSample(celsius: 38)),
            ])
    }

    @Test("reads a Raspberry Pi's voltage alarm, but no temperatures of main boards")
    func alarms() {
        files.set("sys/class/hwmon/hwmon1/name", "rpi_volt")
        files.set("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1")
        files.set("sys/class/hwmon/hwmon2/name", "nct6775")
        files.set("sys/class/hwmon/hwmon2/temp1_input", "119000")
        files.set("sys/class/hwmon/hwmon2/temp1_max", "80000")
        #expect(samples() == ["hwmon1 (rpi_volt)": .underVoltage(true)])
    }

    @Test("wakes no GPU or disk for its temperature, and does not count its sleep as a failure")
    func asleep() {
        for (file, text) in [
            ("hwmon0/name", "amdgpu"), ("hwmon0/temp1_input", "55000"), ("hwmon0/temp1_crit", "100000"),
            ("hwmon0/device/power/runtime_status", "active"), ("hwmon1/name", "drivetemp"),
            ("hwmon1/temp1_input", "30000"),
        ] { files.set("sys/class/hwmon/\(file)", text) }
        var sensors = PressureSensors(files: files)
        #expect(sensors.read(now: .zero).samples.map(\.source) == ["hwmon0 temp1 (amdgpu)"])
        files.set("sys/class/hwmon/hwmon0/device/power/runtime_status", "suspended")
        files.set("sys/class/hwmon/hwmon0/temp1_input", "read while it slept")
        for second in 1...60 {
            let (samples, problems) = sensors.read(now: Timestamp(nanoseconds: Int64(second) * 1_000_000_000))
            #expect(samples == [])
            #expect(problems == [])
        }
    }

    @Test("reads stalls of the machine and of its own control group")
    func stalls() {
        files.set("proc/self/cgroup", "3:cpu:/x\n0::/user.slice/session.scope")
        files.setStall("cpu", some: 12.5)
        files.setStall("memory", some: 3, full: 1.25)
        files.set("sys/fs/cgroup/user.slice/session.scope/cgroup.type", "domain")
        files.setStall("cpu", some: 70, in: "sys/fs/cgroup/user.slice/session.scope")
        #expect(
            samples() == [
                "cpu stalls": .stall(.cpu, some: 12.5, full: 0),
                "memory stalls": .stall(.memory, some: 3, full: 1.25),
                "cpu stalls of the control group": .stall(.cpu, some: 70, full: 0),
            ])
    }

    @Test("reads a container's stalls instead of its host's")
    func containers() {
        files.set("proc/self/cgroup", "0::/")
        files.set("sys/fs/cgroup/cgroup.type", "domain")
        files.setStall("cpu", some: 90)
        files.setStall("cpu", some: 10, in: "sys/fs/cgroup")
        #expect(samples() == ["cpu stalls of the control group": .stall(.cpu, some: 10, full: 0)])
    }

    @Test("finds sensors that appear later")
    func appear() {
        var sensors = PressureSensors(files: files)
        #expect(sensors.read(now: .zero).samples == [])
        files.addZone(trips: [])
        #expect(sensors.read(now: Timestamp(nanoseconds: 9_000_000_000)).samples == [])
        #expect(sensors.read(now: Timestamp(nanoseconds: 10_000_000_000)).samples.count == 1)
    }

    @Test("finds new sensors at once when told to look")
    func rescan() {
        var sensors = PressureSensors(files: files)
        _ = sensors.read(now: .zero)
        files.addZone(trips: [])
        sensors.rescan()
        #expect(sensors.read(now: Timestamp(nanoseconds: 1)).samples.count == 1)
    }
}
