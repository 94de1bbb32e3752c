import PipCapture
import PipCompose
import PipTestSupport
import Testing

extension CameraLab {
    @Suite("Changes of two cameras, all or none")
    struct TransactionTests {
        /// The reason for which a transaction must fail.
        private enum Flaw: CaseIterable {
            case valueOutOfRange, unknownControl, unknownFormat, streamThatDoesNotStart, impossibleOutput, mistake
        }

        private struct Mistake: Error {}

        fileprivate static let sizes = [PixelSize(320, 180), PixelSize(640, 360), PixelSize(640, 480)]
        fileprivate static let names = ["brightness", "contrast", "saturation"]
        private static let count = 1000

        @Test(
            "S02: of a thousand at random a third fail: what failed left all as it was, and a camera that does not change shows no gap",
            .timeLimit(.minutes(20)))
        func thousand() async throws {
            try await Vivid.withWebcams { nodes in
                var dice = Dice(17)
                let cameras = nodes.map { $0.source(Self.sizes[0]) }
                let picture = Compositor(canvas: PixelSize(320, 180)) {
                    Layer(cameras[0])
                    Layer(cameras[1]).placed(.topRight, width: 0.25)
                }
                let tap = FrameTap(.nv12, buffering: .newest(1))
                picture --> tap
                var options = SessionOptions.ungoverned
                options.renderer = .cpu
                let calls = RecordingCalls()
                let session = try await Session(picture, options: options, cameras: CameraDirectory(calls: calls))
                async let running: Void = session.run()
                while session.statistics.sources.contains(where: { $0.used == 0 }) {
                    try await Task.sleep(for: .milliseconds(10))
                }
                var asked = try nodes.map { try Self.found($0, names: Self.names) }
                var failures = 0
                for number in 0..<Self.count {
                    // Every third transaction must fail.
                    let flaw = number.isMultiple(of: 3) ? Flaw.allCases.randomElement(using: &dice) : nil
                    var next = asked
                    let changed = [[0], [1], [0, 1]].randomElement(using: &dice) ?? []
                    for index in changed { next[index].change(using: &dice) }
                    let gaps = session.statistics.sources.map { $0.drops[.sequenceGap] }
                    let isMade = try await Self.make(
                        next, from: asked, flaw, of: changed.last ?? 0, cameras, nodes, calls, picture, session)
                    #expect(isMade == (flaw == nil), "\(number): \(String(describing: flaw))")
                    if isMade { asked = next } else { failures += 1 }
                    let found = try nodes.map { try Self.found($0, names: Self.names) }
                    #expect(found == asked, "\(number): \(String(describing: flaw)) of \(changed)")
                    #expect(cameras.map(\.wish.size) == asked.map(\.size))
                    for index in nodes.indices where !changed.contains(index) {
                        // A gap would show only in the sequence number of the next frame.
                        let last = session.statistics.sources[index].delivered
                        while session.statistics.sources[index].delivered == last {
                            try await Task.sleep(for: .milliseconds(5))
                        }
                        let now = session.statistics.sources[index].drops[.sequenceGap]
                        #expect(now == gaps[index], "\(number): \(String(describing: flaw))")
                    }
                }
                #expect(failures == (Self.count + 2) / 3)
                session.stop()
                try await running
                let run = await SessionRun(over: session, HostStalls(), since: MonotonicClock().now)
                for source in run.statistics.sources { run.expectAccounted(source) }
            }
        }

        /// Makes a transaction, which must fail if it has a flaw.
        ///
        /// - Returns: False if the transaction failed.
        private static func make(
            _ next: [AskedOfCamera], from asked: [AskedOfCamera], _ flaw: Flaw?, of last: Int,
            _ cameras: [CameraSource],
            _ nodes: [VideoNode], _ calls: RecordingCalls, _ picture: Compositor, _ session: Session
        ) async throws -> Bool {
            var next = next
            if flaw == .streamThatDoesNotStart {
                // A new size requires a restart of the stream, which the session tries twice.
                next[last].size = sizes.first { $0 != asked[last].size } ?? sizes[0]
                calls.fail(.streamOn, of: nodes[last].path, times: 2)
            }
            do {
                try await session.configure {
                    for (index, camera) in cameras.enumerated() where next[index] != asked[index] {
                        camera.wish.size = next[index].size
                        camera.wish.controls = names.map { ($0, next[index].controls[$0] ?? 0) }
                    }
                    switch flaw {
                    case .valueOutOfRange: cameras[last].wish.controls = [("brightness", 999)]
                    case .unknownControl: cameras[last].wish.controls = [("brigthness", 1)]
                    case .unknownFormat: cameras[last].wish.format = FourCC("ABCD")
                    case .impossibleOutput: _ = picture --> Y4MFile("/nowhere/at/all.y4m")
                    case .mistake: throw Mistake()
                    case .streamThatDoesNotStart, nil: break
                    }
                }
                return true
            } catch let error as SessionError {
                if flaw == nil { Issue.record("\(error)") }
                return false
            } catch is Mistake {
                return false
            }
        }

        /// The current settings of a camera.
        private static func found(_ node: VideoNode, names: [String]) throws -> AskedOfCamera {
            AskedOfCamera(size: try node.size(), controls: try node.values(of: names))
        }
    }
}

/// The settings that were requested from a camera.
private struct AskedOfCamera: Equatable {
    var size: PixelSize
    var controls: [String: Int]

    /// Chooses the size anew with a probability of a quarter, and each control with a probability of a half.
    mutating func change(using dice: inout Dice) {
        if Int.random(in: 0..<4, using: &dice) == 0 {
            size = CameraLab.TransactionTests.sizes.randomElement(using: &dice) ?? size
        }
        for name in CameraLab.TransactionTests.names where Bool.random(using: &dice) {
            controls[name] = Int.random(in: 0...255, using: &dice)
        }
    }
}
