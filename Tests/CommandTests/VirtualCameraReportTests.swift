import PipTestSupport
import Testing

@testable import PipCapture
@testable import PipCompose
@testable import PipRig
@testable import PipVirtualCamera
@testable import pip_compose

@Suite("What is said of virtual cameras")
struct VirtualCameraReportTests {
    private let kernel = FakeKernel()

    private var findings: [Finding] { VirtualCameraCheck(VirtualCameraDirectory(calls: kernel)).findings }
    private var report: DeviceReport { DeviceReport(CameraDirectory(calls: kernel)) }

    @Test("without one, the doctor says how to make one for now and for every start")
    func none() throws {
        kernel.add("/dev/video0")
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.severity == .note)
        let remedies = try #require(finding.remedy).split(separator: "\n")
        #expect(
            remedies[0] == "sudo apt-get install v4l2loopback-dkms && sudo modprobe v4l2loopback video_nr=10"
                + " exclusive_caps=1 card_label=pip-compose")
        #expect(remedies[1].contains("/etc/modules-load.d/") && remedies[1].contains("/etc/modprobe.d/"))
        let text = Diagnosis(findings: findings, canCompose: true).text
        #expect(text.contains("mend it: sudo apt-get"))
        #expect(text.contains("\n" + String(repeating: " ", count: 22) + "for every start: echo"))
    }

    @Test("one is in order, and named with who has it open")
    func one() throws {
        kernel.add("/dev/video10", labelled: "desk")
        kernel.setText("Y,N", of: "/sys/module/v4l2loopback/parameters/exclusive_caps")
        #expect(findings.map(\.severity) == [.ok])
        #expect(findings[0].detail == "/dev/video10 (\"desk\"), nobody has it open")
        kernel.setText("YU12:640x480@30", of: "/sys/class/video4linux/video10/format")
        kernel.setText("chrome", of: "/proc/4711/comm")
        kernel.setFolder("/proc", ["4711", "self"])
        kernel.setFolder("/proc/4711/fd", ["9"])
        kernel.setLink("/proc/4711/fd/9", to: "/dev/video10")
        #expect(
            findings[0].detail == "/dev/video10 (\"desk\"), shows YU12:640x480@30, open in chrome (process 4711)")
    }

    @Test("one without exclusive_caps is noted, with the lines that give it them")
    func inclusive() throws {
        kernel.add("/dev/video12", labelled: "my desk")
        kernel.setText("N", of: "/sys/module/v4l2loopback/parameters/exclusive_caps")
        #expect(findings.map(\.severity) == [.note])
        let remedy = try #require(findings[0].remedy)
        #expect(remedy.hasPrefix("sudo modprobe -r v4l2loopback && sudo modprobe v4l2loopback video_nr=12 "))
        #expect(remedy.contains(#"'card_label="my desk"'"#))
    }

    @Test("one that nobody writes to is an output, not a camera")
    func idle() {
        var inclusive = FakeLoopback()
        inclusive.hasExclusiveCaps = false
        kernel.add("/dev/video10", labelled: "desk", inclusive)
        kernel.add("/dev/video11", labelled: "street")
        #expect(report.cameras.isEmpty && report.unusable.isEmpty)
        #expect(report.text.contains("No camera found."))
        #expect(
            report.text.hasSuffix(
                """
                Virtual cameras that nobody writes to:
                  /dev/video10  desk  (--output 'virtual-camera:desk')
                  /dev/video11  street  (--output 'virtual-camera:street')
                """))
        #expect(report.document.pretty.contains("\"output\": \"virtual-camera:street\""))
    }

    @Test("one with a writer is a camera")
    func written() {
        var loopback = FakeLoopback()
        loopback.kept = (FourCC("YU12"), PixelSize(640, 480))
        kernel.add("/dev/video10", labelled: "desk", loopback)
        #expect(report.cameras.map(\.camera.card) == ["desk"])
        #expect(report.idleVirtualCameras.isEmpty)
    }

    @Test("to read from one that nobody writes to is refused with the reason")
    func refuses() throws {
        var loopback = FakeLoopback()
        loopback.hasExclusiveCaps = false
        kernel.add("/dev/video10", labelled: "desk", loopback)
        let error = try #require(throws: CaptureError.self) {
            try CameraDirectory(calls: kernel).camera(matching: .path("/dev/video10"))
        }
        #expect(error.kind == .notACamera && error.reason == "it is a virtual camera, and no program writes to it")
    }
}
