import PipFrames
import SystemPackage
import Testing

@testable import PipPressure

@Suite("Reading throttling and power")
struct PowerReadingTests {
    private let files = FakeSensors()

    private func samples(mailbox: (@Sendable () -> UInt32?)? = nil) -> [String: SensorValue] {
        var sensors = PressureSensors(files: files, mailbox: mailbox, gpus: { nil })
        let samples = sensors.read(now: .zero).samples
        return Dictionary(samples.map { ($0.source, $0.value) }) { first, _ in first }
    }

    private func addProcessor(
        _ number: Int, package: Int, _ file: String, _ count: Int
    ) {
        files.set("sys/devices/system/cpu/cpu\(number)/topology/physical_package_id", "\(package)")
        files.set("sys/devices/system/cpu/cpu\(number)/thermal_throttle/\(file)", "\(count)")
    }

    @Test("measures the share of the last ten seconds in which a processor throttled, once for each package")
    func throttling() {
        var sensors = PressureSensors(files: files)
        var shares: [Double] = []
        for second in 0...30 {
            // The package throttles for half of the time from the tenth to the fifteenth second.
            let total = 5000 + 500 * min(max(second - 10, 0), 5)
            addProcessor(0, package: 0, "package_throttle_total_time_ms", total)
            addProcessor(1, package: 0, "package_throttle_total_time_ms", total)
            addProcessor(2, package: 1, "package_throttle_total_time_ms", 7)
            let read = sensors.read(now: Timestamp(nanoseconds: Int64(second) * 1_000_000_000)).samples
            #expect(read.map(\.source) == ["processor 0", "processor 1"])
            guard case .throttling(let share) = read[0].value else { continue }
            shares.append(share)
        }
        #expect(shares[10] == 0)
        #expect(shares[11] == 0.05)
        #expect(shares[15] == 0.25)
        #expect(shares[20] == 0.25)
        #expect(shares[24] == 0.05)
        #expect(shares[25] == 0)
    }

    @Test("detects a processor's throttling where only its counter exists")
    func counts() {
        var sensors = PressureSensors(files: files)
        addProcessor(0, package: 0, "package_throttle_count", 3)
        #expect(sensors.read(now: .zero).samples.first?.value == .throttling(share: 0))
        addProcessor(0, package: 0, "package_throttle_count", 4)
        let next = sensors.read(now: Timestamp(nanoseconds: 1_000_000_000)).samples.first?.value
        guard case .throttling(let share) = next else {
            Issue.record("the sensors report no throttling")
            return
        }
        #expect(share > 0 && share < 0.1)
    }

    @Test("measures a processor's allowed clock against the highest allowed one, until the cap is a minute old")
    func caps() {
        let path = "sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq"
        var sensors = PressureSensors(files: files)
        func cap(_ kilohertz: Int, second: Int64) -> SensorValue? {
            files.set(path, "\(kilohertz)")
            return sensors.read(now: Timestamp(nanoseconds: second * 1_000_000_000)).samples.first?.value
        }
        #expect(cap(1_500_000, second: 0) == .frequencyCap(kilohertz: 1_500_000, baseline: 1_500_000))
        #expect(cap(2_400_000, second: 1) == .frequencyCap(kilohertz: 2_400_000, baseline: 2_400_000))
        #expect(cap(1_000_000, second: 2) == .frequencyCap(kilohertz: 1_000_000, baseline: 2_400_000))
        #expect(cap(1_000_000, second: 61) == .frequencyCap(kilohertz: 1_000_000, baseline: 2_400_000))
        #expect(cap(1_000_000, second: 62) == .frequencyCap(kilohertz: 1_000_000, baseline: 1_000_000))
        #expect(cap(900_000, second: 63) == .frequencyCap(kilohertz: 900_000, baseline: 1_000_000))
    }

    @Test("reads a Raspberry Pi's flags from its driver's file and from its mailbox")
    func firmware() {
        let name = "Raspberry Pi firmware"
        #expect(samples()[name] == nil)
        #expect(samples(mailbox: { nil })[name] == nil)
        #expect(samples(mailbox: { 0x80008 })[name] == .firmware(FirmwareFlags(rawValue: 0x80008)))
        files.set("sys/devices/platform/soc/soc:firmware/get_throttled", "50005")
        #expect(samples()[name] == .firmware(FirmwareFlags(rawValue: 0x50005)))
        #expect(samples(mailbox: { 0x8 })[name] == .firmware(FirmwareFlags(rawValue: 0x5000D)))
        files.set("sys/devices/platform/soc/soc:firmware/get_throttled", "0x4")
        #expect(samples()[name] == .firmware(.throttled))
    }

    @Test("reads the machine's batteries, but not those of its mice")
    func batteries() {
        for (supply, file, text) in [
            ("AC", "type", "Mains"), ("BAT0", "type", "Battery"), ("BAT0", "status", "Discharging"),
            ("BAT0", "capacity", "42"), ("BAT0", "temp", "315"), ("BAT0", "temp_alert_max", "600"),
            ("mouse", "type", "Battery"), ("mouse", "scope", "Device"), ("mouse", "capacity", "1"),
            ("mouse", "status", "Discharging"), ("BAT1", "type", "Battery"), ("BAT1", "status", "Full"),
            ("BAT1", "capacity", "100"),
        ] { files.set("sys/class/power_supply/\(supply)/\(file)", text) }
        #expect(
            samples() == [
                "battery BAT0": .battery(percent: 42, isDischarging: true),
                "battery BAT0 temperature": .temperature(
                    TemperatureSample(
                        celsius: 31.5, limits: TemperatureLimits(critical: .init(60)), factor: .batteryStress)),
                "battery BAT1": .battery(percent: 100, isDischarging: false),
            ])
    }

    private struct FakeGPUs: GPULibrary {
        func clockReasons() -> [GPUClockReasons?] { [.softwareThermal, nil] }
    }

    @Test("reads the throttle reasons of GPUs only while they are awake")
    func gpus() {
        let device = "sys/bus/pci/drivers/nvidia/0000:01:00.0/power/runtime_status"
        files.set(device, "suspended")
        var sensors = PressureSensors(files: files, mailbox: nil) { FakeGPUs() }
        func sample(_ second: Int64) -> [SensorSample] {
            sensors.read(now: Timestamp(nanoseconds: second * 1_000_000_000)).samples
        }
        #expect(sample(0) == [])
        files.set(device, "active")
        #expect(sample(10) == [SensorSample(source: "GPU 0", value: .gpuClock(.softwareThermal))])
        files.set(device, "suspended")
        #expect(sample(11).contains(SensorSample(source: "GPU 0", value: .gpuClock([]))))
    }

    @Test("loads no GPU library without the GPU's driver")
    func noGPUs() {
        var sensors = PressureSensors(files: files, mailbox: nil) {
            Issue.record("the GPU library was loaded without its driver")
            return nil
        }
        #expect(sensors.read(now: .zero).samples == [])
    }
}
