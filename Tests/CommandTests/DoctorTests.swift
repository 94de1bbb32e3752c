import CV4L2
import Foundation
import PipFrames
import PipTestSupport
import SystemPackage
import Testing

@testable import PipCapture
@testable import PipCompose
@testable import PipPressure
@testable import PipRig
@testable import pip_compose

@Suite("What the doctor finds of cameras")
struct CameraDoctorTests {
    private let kernel = FakeKernel()

    private func plugIn(_ path: String, port: String, formats: [FakeCamera.Format], speed: String = "480") {
        var camera = FakeCamera()
        camera.card = "Webcam \(port)"
        camera.busInfo = "usb-0000:00:14.0-\(port)"
        camera.usb = FakeCamera.USB(serial: port)
        camera.formats = formats
        kernel.add(path, camera)
        let node = path.dropFirst("/dev/".count)
        kernel.setText(speed, of: "/sys/class/video4linux/\(node)/device/../speed")
    }

    private let raw = [FakeCamera.Format("YUYV", 640, 480)]

    private var cameras: [Finding] { CameraCheck(CameraDirectory(calls: kernel)).findings }
    private var bus: [Finding] { BusCheck(CameraDirectory(calls: kernel)).findings }

    @Test("a camera that is free is in order")
    func free() {
        plugIn("/dev/video0", port: "1", formats: raw)
        #expect(cameras.map(\.severity) == [.ok])
    }

    @Test("a camera that another program has open is a problem, with the program and the command that ends it")
    func busy() throws {
        plugIn("/dev/video0", port: "1", formats: raw)
        kernel.setText("cheese", of: "/proc/4711/comm")
        kernel.setFolder("/proc", ["4711", "self"])
        kernel.setFolder("/proc/4711/fd", ["9"])
        kernel.setLink("/proc/4711/fd/9", to: "/dev/video0")
        let finding = try #require(cameras.first)
        #expect(finding.severity == .problem)
        #expect(finding.detail.contains("is open in cheese (process 4711)"))
        #expect(finding.remedy == "end that program: kill 4711")
    }

    @Test("a camera that may lower its rate in the dark needs no remedy: compose forbids it", arguments: [0, 1])
    func light(value: Int) {
        plugIn("/dev/video0", port: "1", formats: raw)
        kernel.change("/dev/video0") {
            $0.controls = [
                FakeCamera.Control(
                    UInt32(V4L2_CID_EXPOSURE_AUTO_PRIORITY), "Exposure, Dynamic Framerate", V4L2_CTRL_TYPE_BOOLEAN,
                    0...1, value: value)
            ]
        }
        let light = cameras.filter { $0.subject == "light" }
        #expect(light.map(\.severity) == (value == 1 ? [.ok] : []))
        #expect(light.allSatisfy { $0.remedy == nil && $0.detail.contains("?control.exposure_dynamic_framerate=1") })
    }

    @Test("cameras that share a controller are in order when it carries what a session would choose")
    func fits() {
        plugIn("/dev/video0", port: "1", formats: [FakeCamera.Format("YUYV", 640, 480)])
        #expect(bus == [])
        plugIn("/dev/video2", port: "2.1", formats: [FakeCamera.Format("MJPG", 1280, 720)])
        #expect(
            bus == [
                Finding(
                    subject: "USB", severity: .ok,
                    detail: "Webcam 1 (/dev/video0) as YUYV 640x480 at 30 fps and Webcam 2.1 (/dev/video2) as "
                        + "MJPG 1280x720 at 30 fps share usb-0000:00:14.0: 25.3 of 48.0 MB/s")
            ])
    }

    @Test("cameras that share a controller are noted when they ask for more than it carries", arguments: [480, 5000])
    func full(speed: Int) throws {
        for (path, port) in [("/dev/video0", "1"), ("/dev/video2", "2.1")] {
            plugIn(path, port: port, formats: [FakeCamera.Format("YUYV", 1280, 720)], speed: "\(speed)")
        }
        let finding = try #require(bus.first)
        #expect(finding.severity == (speed == 480 ? .note : .ok))
        #expect(finding.detail.contains(speed == 480 ? "110.6 of 48.0 MB/s" : "110.6 of 450.0 MB/s"))
        #expect((finding.remedy?.contains("lsusb -t") == true) == (speed == 480))
    }

    @Test(
        "a camera that delivers less than nine tenths of what it promised is noted",
        arguments: [(30.0, 30.0, true), (27, 30, true), (26.9, 30, false), (15, 30, false), (15, nil, true)])
    func rate(measured: Double, promised: Double?, isFine: Bool) {
        let finding = RateCheck.finding("/dev/video0", "YUYV 1280x720", measured: measured, promised: promised)
        #expect(finding.severity == (isFine ? .ok : .note))
        #expect((finding.remedy == nil) == isFine)
    }
}

@Suite("What the doctor finds of heat, power and load")
struct PressureDoctorTests {
    private func findings(_ files: [String: String]) throws -> [Finding] {
        let folder = try TemporaryFolder()
        for (path, text) in files {
            let file = folder.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: file)
        }
        return PressureCheck(root: folder.url.path).findings
    }

    private func zone(_ celsius: String) -> [String: String] {
        let zone = "sys/class/thermal/thermal_zone0"
        return [
            "\(zone)/type": "cpu-thermal", "\(zone)/temp": celsius, "\(zone)/trip_point_0_type": "passive",
            "\(zone)/trip_point_0_temp": "80000",
            "proc/pressure/cpu": "some avg10=1.00 avg60=0.00 avg300=0.00 total=1",
        ]
    }

    @Test("without sensors it says what cannot be seen, and what helps")
    func nothing() throws {
        let findings = try findings([:])
        #expect(findings.map(\.subject) == ["heat", "load"])
        #expect(findings.map(\.severity) == [.note, .note])
        #expect(findings[0].remedy?.contains("lm-sensors") == true)
        #expect(findings[1].remedy?.contains("psi=1") == true)
    }

    @Test("sensors that are in order are listed with what they say")
    func calm() throws {
        let findings = try findings(zone("45000"))
        #expect(
            findings == [
                Finding(
                    subject: "heat", severity: .ok,
                    detail: "thermal_zone0 (cpu-thermal): 45.0 °C, passive from 80.0 °C"),
                Finding(
                    subject: "load", severity: .ok, detail: "cpu stalls: some tasks wait 1.0 % of the time"),
            ])
    }

    @Test("heat is a problem, with what helps")
    func hot() throws {
        let finding = try #require(try findings(zone("82000")).first)
        #expect(finding.severity == .problem)
        #expect(finding.detail == "serious: thermal_zone0 (cpu-thermal): 82.0 °C, passive from 80.0 °C")
        #expect(finding.remedy != nil)
    }

    @Test("a sensor that says nothing of use is named")
    func silent() throws {
        let findings = try findings(zone("255000"))
        #expect(
            findings.contains { $0.subject == "sensor" && $0.detail.contains("255.0 °C, which is not plausible") })
    }

    @Test("a low battery and low voltage are told with what helps")
    func power() throws {
        let findings = try findings([
            "sys/class/power_supply/BAT0/type": "Battery", "sys/class/power_supply/BAT0/status": "Discharging",
            "sys/class/power_supply/BAT0/capacity": "15", "sys/class/hwmon/hwmon0/name": "rpi_volt",
            "sys/class/hwmon/hwmon0/in0_lcrit_alarm": "1",
        ]).filter { $0.subject == "power" }
        #expect(findings.map(\.severity) == [.note, .note])
        #expect(
            Set(findings.compactMap(\.remedy)) == [
                "connect the charger", "use a stronger power supply or a shorter cable",
            ])
    }

    @Test("the command reads the sensors below another root, as text and as JSON")
    func command() async throws {
        let folder = try TemporaryFolder()
        let zone = folder.url.appending(path: "sys/class/thermal/thermal_zone0")
        try FileManager.default.createDirectory(at: zone, withIntermediateDirectories: true)
        for (name, text) in [
            ("type", "cpu-thermal"), ("temp", "97000"), ("trip_point_0_type", "passive"),
            ("trip_point_0_temp", "80000"),
        ] { try Data(text.utf8).write(to: zone.appending(path: name)) }
        let text = try await folder.run("doctor --pressure-root \(folder.url.path)")
        #expect(text.text.contains("critical: thermal_zone0 (cpu-thermal): 97.0 °C"))
        let json = try await folder.run("doctor --json --pressure-root \(folder.url.path)")
        let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        let findings = try #require(object["findings"] as? [[String: Any]])
        #expect(findings.contains { ($0["detail"] as? String)?.hasPrefix("critical: thermal_zone0") == true })
        let policy = folder.path("board.yaml")
        try Data("preset: balanced\nthresholds: {cpu-thermal: {fair: 95}, gpu: {fair: 90}}\n".utf8)
            .write(to: URL(filePath: policy))
        let other = try await folder.run("doctor --json --pressure-root \(folder.url.path) --pressure-policy \(policy)")
        #expect(other.text.contains("fair: thermal_zone0 (cpu-thermal): 97.0 °C, fair from 95.0 °C by the policy"))
        #expect(other.text.contains("the policy has thresholds for gpu, but no thermometer has this name"))
    }

    @Test(
        "the command refuses a root or a policy that is not there",
        arguments: [("root /nowhere", 64), ("policy no.yaml", 78)] as [(String, Int32)])
    func refuses(option: String, status: Int32) async throws {
        let said = try await TemporaryFolder().run("doctor --pressure-\(option)")
        #expect(said.status == status)
    }
}
