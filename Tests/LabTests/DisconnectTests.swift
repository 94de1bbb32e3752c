import PipCompose
import Testing

extension CameraLab {
    @Suite("A camera that is disconnected while it runs")
    struct DisconnectTests {
        private static let rate = FrameRate(30)

        /// The content of the inset's area after the inset's camera is lost.
        ///
        /// The main picture is red.
        enum Remains: String, Sendable {
            case lastFrame, mainPicture, slate
        }

        @Test(
            "row 1: as the inset leaves the output as it is, and its layer shows its policy",
            arguments: [
                (AbsencePolicy.hold, Remains.lastFrame), (.hide, .mainPicture), (.slate, .slate),
                (.promote, .mainPicture),
            ])
        func inset(policy: AbsencePolicy, remains: Remains) async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[0].set(.red)
                try nodes[1].set(.blue)
                var held: VideoNode.Held?
                let output = try await watch(nodes.map { $0.source() }, [.hold, policy]) {
                    held = try nodes[1].disconnect()
                }
                withExtendedLifetime(held) {}
                #expect(output.before == (.red, .blue))
                #expect(output.after.main == .red)
                switch remains {
                case .lastFrame: #expect(output.after.inset == .blue)
                case .mainPicture: #expect(output.after.inset == .red)
                case .slate: #expect(output.after.inset == .slate)
                }
                output.expectUndisturbed(lost: "/dev/video1")
            }
        }

        @Test("row 1: as the main picture makes way for the inset, when its layer says so")
        func main() async throws {
            try await Vivid.withWebcams { nodes in
                try nodes[0].set(.red)
                try nodes[1].set(.blue)
                var held: VideoNode.Held?
                let output = try await watch(nodes.map { $0.source() }, [.promote, .hold]) {
                    held = try nodes[0].disconnect()
                }
                withExtendedLifetime(held) {}
                #expect(output.before == (.red, .blue))
                #expect(output.after == (.blue, .blue))
                output.expectUndisturbed(lost: "/dev/video0")
            }
        }

        @Test("row 1: is reported when the cable of a USB camera is pulled, and nothing else happens")
        func unplugged() async throws {
            let pictures = try Pictures()
            let red = try pictures.file("red.mjpeg", try await pictures.plain(.red))
            let blue = try pictures.file("blue.mjpeg", try await pictures.plain(.blue))
            try await USBCamera.withCameras([red, blue]) { cameras in
                let output = try await watch(cameras.map { $0.source() }, [.hold, .hide]) {
                    try cameras[1].tell("unplug")
                }
                #expect(output.before == (.red, .blue))
                #expect(output.after == (.red, .red))
                output.expectUndisturbed(lost: cameras[1].path)
            }
        }

        @Test("row 1: is reported, too, when it was switched off before its cable was pulled")
        func unpluggedWhileOff() async throws {
            let pictures = try Pictures()
            let red = try pictures.file("red.mjpeg", try await pictures.plain(.red))
            let blue = try pictures.file("blue.mjpeg", try await pictures.plain(.blue))
            try await USBCamera.withCameras([red, blue]) { cameras in
                let sources = cameras.map { $0.source() }
                let picture = Compositor {
                    Layer(sources[0])
                    Layer(sources[1]).placed(.topRight, width: 0.25).whenMissing(.hide)
                }
                let tap = FrameTap(.nv12, buffering: .newest(4))
                picture --> tap
                let run = try await SessionRun.watching(picture, tap, frames: 150) { number, _, session in
                    if number == 30 { try await session.setEnabled(false, sources[1]) }
                    if number == 45 { try cameras[1].tell("unplug") }
                }
                #expect(run.cameraEvents.map(\.event.word) == ["disabled", "lost"], "\(run.cameraEvents)")
                #expect(run.statistics.sources[1].state == .closed || run.statistics.sources[1].state == .lost)
            }
        }

        /// Composes two cameras for five seconds, and calls `fault` after two seconds.
        private func watch(
            _ sources: [CameraSource], _ policies: [AbsencePolicy], fault: () throws -> Void
        ) async throws -> WatchedOutput {
            let picture = Compositor {
                Layer(sources[0]).whenMissing(policies[0])
                Layer(sources[1]).placed(.topRight, width: 0.25, margin: 24).whenMissing(policies[1])
            }
            let tap = FrameTap(.nv12, buffering: .newest(4))
            picture --> tap
            var output = WatchedOutput()
            output.run = try await SessionRun.watching(picture, tap, frames: 150) { number, frame, _ in
                output.note(frame)
                if number == 59 {
                    output.markFault()
                    try fault()
                }
            }
            return output
        }
    }
}

/// The observed output of a composition of a red and a blue camera, before and after a fault.
struct WatchedOutput {
    /// The content of an area of the output.
    enum Content { case red, blue, slate, other }

    var run: SessionRun?
    private(set) var before = (main: Content.other, inset: Content.other)
    private(set) var after = (main: Content.other, inset: Content.other)
    /// The timestamps of the observed frames; once the fault is marked, from the last frame before the fault on.
    private var moments: [Timestamp] = []
    private let stalls = HostStalls()

    mutating func note(_ frame: Frame) {
        moments.append(frame.timestamp)
        after = (content(frame, x: 320, y: 360), content(frame, x: 1096, y: 60))
    }

    /// Marks the fault: all frames so far came before it.
    mutating func markFault() {
        before = after
        moments.removeFirst(moments.count - 1)
    }

    private func content(_ frame: Frame, x: Int, y: Int) -> Content {
        // JPEG compression changes the colours slightly.
        if frame.shows(.red, x: x, y: y, within: 6) { return .red }
        if frame.shows(.blue, x: x, y: y, within: 6) { return .blue }
        // The slate's panel is dark grey, unlike the pictures of both cameras.
        let samples = frame.samples(x: x, y: y).map(Int.init)
        return samples[0] < 60 && abs(samples[1] - 128) < 16 && abs(samples[2] - 128) < 16 ? .slate : .other
    }

    /// Expects that the output kept its rate, and that one event reported the lost camera.
    func expectUndisturbed(lost path: String) {
        let period = FrameRate(30).interval.inSeconds
        let gaps = zip(moments, moments.dropFirst()).map { start, end in
            (start.duration(to: end) - stalls.total(from: start, to: end)).inSeconds
        }
        // The search for the lost camera takes time of the guest's single processor. Three frames may be missed, and
        // the other frames may be slightly late.
        #expect(gaps.max().map { ($0 / period).rounded() <= 4 } == true, "the longest gap was \(gaps.max() ?? 0) s")
        let whole = gaps.reduce(0, +)
        #expect(Double(gaps.count) >= 0.95 * whole / period, "\(gaps.count) frames in \(whole) s")
        let events = run?.cameraEvents ?? []
        #expect(events.count == 1 && events.first?.name == path)
        guard case .lost? = events.first?.event else {
            Issue.record("what happened was not the loss of a camera: \(events)")
            return
        }
    }
}
