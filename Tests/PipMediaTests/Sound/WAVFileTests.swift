#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipSound
import PipSources
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Sound alone")
struct WAVFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func draw(_ frames: Int, _ mixer: AudioMixer, into name: String) async throws -> OutputStatistics {
        let picture = Compositor { Layer(CustomSource("flash") { FlashProvider(frames: frames) }) }
        picture --> WAVFile(folder.path(name), sound: mixer)
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        try await session.run(frames: frames)
        return session.statistics.sinks[0]
    }

    @Test("a WAV file is exactly as long as the picture, and holds the mix")
    func samples() async throws {
        let mixer = AudioMixer()
        mixer.add(ToneSource(1000, level: -20))
        let statistics = try await draw(45, mixer, into: "a.wav")
        #expect(statistics.error == nil && statistics.drops.total == 0)
        let reader = try WAVReader(path: folder.path("a.wav"))
        #expect(reader.frames == 72_000 && reader.format == .stereo)
        var block = AudioBlock(.stereo, frames: 72_000)
        #expect(try reader.read(into: &block) == 72_000)
        var meter = LevelMeter(.stereo, window: .milliseconds(1000))
        meter.process(block)
        for level in meter.levels { #expect(abs(level.peak.value + 20) < 0.05 && abs(level.rms.value + 23) < 0.1) }
    }

    @Test("a mix that is too loud stays below the limiter's ceiling, and a high-pass removes a rumble")
    func filters() async throws {
        let mixer = AudioMixer()
        for _ in 0..<3 { mixer.add(ToneSource(1000, level: -2)) }
        mixer.add(ToneSource(20, level: -6)).highPass = 200
        _ = try await draw(30, mixer, into: "a.wav")
        let samples = try HeardFile(sound: folder.path("a.wav")).samples
        let peak = samples.map { abs($0) }.max() ?? 0
        #expect(Decibels(amplitude: peak) <= -0.99 && Decibels(amplitude: peak) > -1.5)
        let alone = AudioMixer()
        alone.add(ToneSource(20, level: -6)).highPass = 200
        _ = try await draw(60, alone, into: "b.wav")
        #expect(try HeardFile(sound: folder.path("b.wav")).rms(0.5..<2) < 0.01)
    }

    @Test("an input that was faded out is not heard")
    func crossfade() async throws {
        let mixer = AudioMixer()
        let low = mixer.add(ToneSource(300, level: -12))
        let high = mixer.add(ToneSource(6000, level: -32))
        mixer.crossfade(to: high)
        #expect(!low.isSelected && high.isSelected)
        _ = try await draw(30, mixer, into: "a.wav")
        let heard = try HeardFile(sound: folder.path("a.wav"))
        #expect(abs(Decibels(amplitude: heard.rms(0.2..<0.9)).value + 35) < 0.2)
    }

    @Test("a file that cannot be written is an error")
    func failure() async throws {
        let error = await #expect(throws: SessionError.self) {
            try await draw(2, AudioMixer(), into: "nowhere/a.wav")
        }
        #expect(error.map { "\($0)".contains("mkdir -p") } == true)
    }

    @Test("row 53: a pipe that its reader closes ends the output with an error, and not the process")
    func closedPipe() async throws {
        let path = try folder.pipe("a.wav")
        let mixer = AudioMixer()
        mixer.add(ToneSource(1000, level: -20))
        let reader = WorkerThread(name: "reads") {
            let pipe = FileHandle(forReadingAtPath: path)
            _ = try? pipe?.read(upToCount: 1)
            try? pipe?.close()
        }
        // Two seconds of sound are more than a pipe holds.
        let error = await #expect(throws: SessionError.self) { try await draw(60, mixer, into: "a.wav") }
        #expect(error.map { "\($0)".contains("the reader of \(path) has closed the pipe") } == true)
        await reader.joined()
    }
}
#endif
