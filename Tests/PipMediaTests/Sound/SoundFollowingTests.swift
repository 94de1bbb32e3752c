#if Media
import PipCompose
import PipConcurrency
import PipEffects
import PipFrames
import PipPatterns
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Sound that follows the picture")
struct SoundFollowingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two pictures, of which one is drawn through an effect, a sound input for each picture, and a third sound input.
    private struct Scene {
        let picture: Compositor
        let sound = AudioMixer()
        let inputs: [AudioInput]

        init() {
            let (road, cabin) = (
                PatternSource(.bars, size: PixelSize(64, 48)), PatternSource(.scene, size: PixelSize(64, 48))
            )
            picture = Compositor(canvas: PixelSize(64, 48)) {
                Layer(road --> Mirror())
                Layer(cabin).placed(.topRight, width: 0.25)
            }
            inputs = [sound.add(ToneSource(500)), sound.add(ToneSource.silence), sound.add(ToneSource(3000))]
            sound.follow(picture.layers[0], [(road, inputs[0]), (cabin, inputs[1])], over: .milliseconds(100))
        }

        var selected: [Bool] { inputs.map(\.isSelected) }

        func swap() throws { try picture.swap(picture.layers[0], picture.layers[1]) }
    }

    @Test("the sound of the layer's picture is heard from the start, also through an effect")
    func beginning() { #expect(Scene().selected == [true, false, false]) }

    @Test("a swap during a recording crossfades to the other picture's sound, and a swap back does so again")
    func swaps() async throws {
        let path = folder.path("a.wav")
        try await VirtualTime.run { clock, _ in
            let scene = Scene()
            scene.picture --> WAVFile(path, sound: scene.sound)
            var options = SessionOptions()
            options.time = clock
            let session = try await Session(scene.picture, options: options)
            async let run: Void = session.run(for: .seconds(6))
            try await clock.sleep(for: .seconds(2))
            try scene.swap()
            try await clock.sleep(for: .seconds(1))
            #expect(scene.selected == [false, true, false])
            try await clock.sleep(for: .seconds(1))
            try scene.swap()
            try await clock.sleep(for: .seconds(1))
            #expect(scene.selected == [true, false, false])
            // A swap no longer changes the selection.
            scene.sound.stopFollowing()
            try scene.swap()
            try await run
            #expect(scene.selected == [true, false, false])
        }
        let heard = try HeardFile(sound: path)
        #expect(heard.rms(0.5..<1.8) > 0.05 && heard.rms(2.4..<3.8) < 0.001 && heard.rms(4.4..<5.8) > 0.05)
    }

    @Test("a picture without sound changes nothing, and a crossfade holds until the next swap")
    func others() throws {
        let scene = Scene()
        scene.sound.crossfade(to: scene.inputs[2])
        scene.sound.followPicture()
        #expect(scene.selected == [false, false, true])
        try scene.swap()
        scene.sound.followPicture()
        #expect(scene.selected == [false, true, false])
        scene.sound.follow(scene.picture.layers[1], [(scene.picture, scene.inputs[2])])
        #expect(scene.selected == [false, true, false])
    }
}
#endif
