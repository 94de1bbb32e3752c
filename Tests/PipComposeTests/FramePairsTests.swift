import PipCapture
import PipConcurrency
import PipTestSupport
import Synchronization
import Testing

@testable import PipCompose

@Suite("Pairs of two producers' frames", .timeLimit(.minutes(5)))
struct FramePairsTests {
    @Test("pairs of frames belong to one output time, and tell the time difference of the cameras' frames")
    func cameras() async throws {
        let (pairs, whole) = try await VirtualTime.run { clock, _ in
            let rig = VirtualRig(clock, cameras: 2)
            let cameras = (0..<2).map { CameraSource(.path(VirtualRig.path($0))) }
            let both = FramePairs(cameras[0], cameras[1] --> Brightness(0.1), format: .nv12)
            let picture = Compositor(canvas: smallSize) {
                Layer(cameras[0])
                Layer(cameras[1]).placed(x: 32, y: 0, width: 32, height: 24)
            }
            let tap = FrameTap(.nv12)
            picture --> tap
            let session = try await Session(picture, options: rig.options(), cameras: rig.cameras)
            async let pairs = both.reduce(into: [FramePairs.Pair]()) { $0.append($1) }
            async let whole = tap.frames.reduce(into: [FrameInfo]()) { $0.append($1.info) }
            try await rig.running(session) {
                for code in UInt8(1)...50 {
                    try await clock.sleep(for: .milliseconds(34))
                    rig.kernel.produce(VirtualRig.path(0), FakeFrame(.fill(code)))
                    try await clock.sleep(for: .milliseconds(6))
                    rig.kernel.produce(VirtualRig.path(1), FakeFrame(.fill(100 + code)))
                }
                try await clock.sleep(for: VirtualRig.period)
            }
            let cameraIDs = cameras.map(\.node.id)
            for pair in await pairs {
                #expect(pair.first.info.inputs.map(\.source) == [cameraIDs[0]])
                #expect(pair.second.info.inputs.map(\.source) == [cameraIDs[1]])
            }
            for info in await whole { #expect(Set(info.inputs.map(\.source)) == Set(cameraIDs)) }
            return (await pairs, await whole)
        }
        try #require(pairs.count > 5 && whole.count > 5, "\(pairs.count), \(whole.count)")
        for pair in pairs {
            #expect(pair.first.info.sequence == pair.second.info.sequence)
            #expect(pair.first.info.inputs.first?.sequence == pair.second.info.inputs.first?.sequence)
            #expect(pair.skew == .milliseconds(6))
            #expect(Int(pair.second.luma(3, 3)) > 100 + Int(pair.first.luma(3, 3)))
        }
        #expect(whole.allSatisfy { $0.inputs.skew == .milliseconds(6) })
    }

    @Test("pairs of files' frames belong to one output time, too, and end with the session or when stopped")
    func files() async throws {
        let folder = try TemporaryFolder()
        let codes = (UInt8(1)...60).map { $0 }
        let sources = try (0..<2).map { index in
            RawSource(
                try folder.grayFile("\(index).nv12", codes.map { $0 + UInt8(100 * index) }), format: .nv12,
                size: smallSize)
        }
        let pairs = FramePairs(sources[0], sources[1], format: .nv12)
        let session = try await Session(sources[0], options: .offline)
        async let run: Void = session.run()
        var count = 0
        for await pair in pairs {
            #expect(pair.second.luma(3, 3) == 100 + pair.first.luma(3, 3))
            #expect(pair.skew == nil)
            count += 1
        }
        try await run
        #expect(count > 0)
        #expect(pairs.outputs.first.state == .finished && pairs.outputs.second.state == .finished)
    }
}
