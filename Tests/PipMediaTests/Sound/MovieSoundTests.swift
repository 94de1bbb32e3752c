#if Media
import PipCompose
import PipConcurrency
import PipFrames
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("The sound of movies")
struct MovieSoundTests {
    private let files: MovieFiles

    init() throws { files = try MovieFiles() }

    /// Makes a movie with FFmpeg, with a white picture and a beep at each whole second, but not at 0.
    private func flashes(_ name: String, seconds: Int = 5, _ sound: [String] = ["-c:a", "aac"]) throws -> String {
        let path = files.folder.path(name)
        try files.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=black:s=64x48:r=30:d=\(seconds),geq=lum='if(gt(N,0)*not(mod(N,30)),235,16)':cb=128:cr=128",
                "-f", "lavfi", "-i",
                "aevalsrc='0.5*cos(2*PI*1000*mod(t,1))*lt(mod(t,1),0.1)*gte(t,1)':s=44100:d=\(seconds)",
            ] + MovieFiles.h264 + ["-ar", name.hasSuffix("mkv") ? "48000" : "44100"] + sound + [path])
        return path
    }

    /// Composes a movie with its sound into another movie, as fast as possible.
    private func compose(_ movie: MovieSource, frames: Int? = nil) async throws -> (flashes: [Double], heard: HeardFile)
    {
        let sound = AudioMixer()
        sound.add(MovieSound(movie))
        let path = files.folder.path("out.mp4")
        movie --> MovieFile(path, sound: [sound], overwrites: true)
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(movie, options: options)
        if let frames { try await session.run(frames: frames) } else { try await session.run() }
        return (try FlashProvider.flashes(in: path), try HeardFile(path))
    }

    private func expect(_ moments: [Double], at times: [Double], within tolerance: Double) {
        #expect(moments.count == times.count, "\(moments)")
        for (moment, time) in zip(moments, times) { #expect(abs(moment - time) < tolerance, "\(moments)") }
    }

    @Test(
        "a flash and its beep are together within 2 ms",
        arguments: [("a.mp4", ["-c:a", "aac"]), ("a.mkv", ["-c:a", "libopus"]), ("a.ts", ["-c:a", "aac"])])
    func together(_ name: String, _ codec: [String]) async throws {
        let (flashes, heard) = try await compose(MovieSource(try flashes(name, codec)))
        expect(flashes, at: [1, 2, 3, 4], within: 0.001)
        expect(heard.beeps, at: [1, 2, 3, 4], within: 0.002)
    }

    @Test("a part that loops has its sound in each loop")
    func loops() async throws {
        let movie = MovieSource(
            try flashes("a.mp4"), loops: true, from: .milliseconds(1500), to: .milliseconds(3700))
        let (flashes, heard) = try await compose(movie, frames: 200)
        let times = [0.5, 1.5, 2.7, 3.7, 4.9, 5.9]
        expect(flashes, at: times, within: 0.001)
        expect(heard.beeps, at: times, within: 0.002)
    }

    @Test("the sound of a loop has no gap, and is the same each time")
    func gapless() async throws {
        let path = files.folder.path("sine.mkv")
        try files.ffmpeg(
            ["-f", "lavfi", "-i", "color=black:s=64x48:r=30:d=1", "-f", "lavfi", "-i", "sine=500:r=48000:d=1.2"]
                + MovieFiles.h264 + ["-c:a", "pcm_s16le", path])
        var first: [Float]?
        for _ in 0..<2 {
            // The sound file begins with the first picture.
            let (movie, sound, file) = (MovieSource(path, loops: true), AudioMixer(), files.folder.path("out.wav"))
            sound.add(MovieSound(movie))
            movie --> WAVFile(file, sound: sound)
            var options = SessionOptions()
            options.pace = .maximum
            try await Session(movie, options: options).run(frames: 150)
            let heard = try HeardFile(sound: file)
            let levels = (5..<480).map { heard.rms(Double($0) / 100..<Double($0 + 1) / 100) }
            #expect(levels.allSatisfy { $0 > 0.06 }, "\(levels.min() ?? 0)")
            let samples = Array(heard.samples.prefix(48_000 * 49 / 10))
            let difference = zip(first ?? samples, samples).enumerated().first { $1.0 != $1.1 }?.offset
            #expect(difference == nil, "\(String(describing: difference))")
            first = samples
        }
    }

    @Test("sound that ends before the pictures is followed by silence, and a longer one ends with them")
    func lengths() async throws {
        let path = files.folder.path("short.mp4")
        try files.ffmpeg(
            ["-f", "lavfi", "-i", "color=black:s=64x48:r=30:d=3", "-f", "lavfi", "-i", "sine=500:r=48000:d=1"]
                + MovieFiles.h264 + ["-c:a", "aac", path])
        let short = try await compose(MovieSource(path)).heard
        #expect(short.rms(0.2..<0.9) > 0.06 && short.rms(1.1..<2.9) < 0.001)
        let part = try await compose(MovieSource(path, to: .milliseconds(500))).heard
        #expect(abs(Double(part.samples.count) / 48_000 - 0.5) < 0.045)
    }

    @Test(
        "a part of a transport stream that has no sound is silent, and the sound of a later part is with its pictures",
        arguments: [[true, false, true], [true, false], [true, false, false, true, false, true]])
    func partsWithoutSound(hasSound: [Bool]) async throws {
        let sounding = try flashes("sounding.ts", seconds: 3)
        let silent = files.folder.path("silent.ts")
        try files.ffmpeg(["-i", sounding, "-an", "-c", "copy", silent])
        let parts = try hasSound.map { try files.folder.read($0 ? "sounding.ts" : "silent.ts") }
        try files.folder.write(parts.flatMap { $0 }, to: "parts.ts")
        let (flashes, heard) = try await compose(MovieSource(files.folder.path("parts.ts")))
        #expect(flashes.count == 2 * parts.count, "\(flashes)")
        expect(heard.beeps, at: flashes.enumerated().filter { hasSound[$0.offset / 2] }.map(\.element), within: 0.02)

        // The same file as a separate sound input is heard at the same times.
        let file = files.folder.path("sound.wav")
        let source = MovieSource(files.folder.path("parts.ts"))
        let alone = AudioMixer()
        alone.add(SoundFile(files.folder.path("parts.ts")))
        source --> WAVFile(file, sound: alone)
        var options = SessionOptions()
        options.pace = .maximum
        try await Session(source, options: options).run()
        expect(try HeardFile(sound: file).beeps, at: heard.beeps, within: 0.02)
    }

    @Test("a movie that joins later has its sound from its first picture on")
    func joins() async throws {
        let below = MovieSource(try files.numbered("b.mp4", 2, size: PixelSize(64, 48)), loops: true)
        let picture = Compositor(canvas: PixelSize(64, 48)) { Layer(below) }
        let sound = AudioMixer()
        let path = files.folder.path("out.mp4")
        picture --> MovieFile(path, sound: [sound])
        var options = SessionOptions()
        options.pace = .maximum
        let session = try await Session(picture, options: options)
        let run = Task { try await session.run() }
        while session.statistics.output.frames < 40 { try await Task.sleep(for: .milliseconds(2)) }
        let movie = MovieSource(try flashes("a.mp4"), loops: true)
        sound.add(MovieSound(movie))
        _ = try await session.configure { picture.add(Layer(movie).placed(.topLeft, width: 1)) }
        let joined = session.statistics.output.frames
        while session.statistics.output.frames < joined + 200 { try await Task.sleep(for: .milliseconds(2)) }
        session.stop()
        try await run.value
        let flashes = try FlashProvider.flashes(in: path)
        let beeps = try HeardFile(path).beeps
        #expect(flashes.count >= 4)
        expect(Array(beeps.prefix(flashes.count)), at: flashes, within: 0.01)
    }

    @Test("a movie without sound is reported")
    func silent() async throws {
        let movie = MovieSource(try files.numbered("a.mp4", 20))
        let error = await #expect(throws: SessionError.self) { try await compose(movie) }
        #expect(error?.description.contains("it has no sound") == true, "\(String(describing: error))")
    }

    @Test("a movie that is taken out of the picture is silent, and heard again when it is reopened")
    func openings() throws {
        let path = files.folder.path("sine.mkv")
        try files.ffmpeg(
            ["-f", "lavfi", "-i", "color=black:s=64x48:r=30:d=2", "-f", "lavfi", "-i", "sine=500:r=48000:d=2"]
                + MovieFiles.h264 + ["-c:a", "pcm_s16le", path])
        let timing = MovieTiming()
        let context = AudioContext(
            frames: SampleClock(start: .zero), isLive: false, clock: MonotonicClock(), onEvent: { _ in })
        let track = MovieTrack(
            try SoundDecoder(path), of: path, options: MovieReader.Options(), timing: timing, context: context)
        defer { track.stop() }
        func level(_ frame: Int) -> Float {
            let block = track.read(from: frame, count: 960)
            return block.samples.reduce(0) { max($0, abs($1)) }
        }
        #expect(level(0) == 0)
        #expect(track.status.state == .waiting)
        for start in [Timestamp(nanoseconds: 1_000_000_000), Timestamp(nanoseconds: 5_000_000_000)] {
            let opening = timing.open()
            let first = Int(start.nanoseconds / 1_000_000_000) * 48_000
            opening.note(.zero, at: .zero, upTo: .seconds(2))
            for index in 0..<4 {
                opening.note(SourceMoment(start: start, shown: start.advanced(by: .milliseconds(100 * index))))
            }
            #expect(level(first - 960) == 0)
            #expect(level(first) > 0.1)
            #expect(level(first + 18_000) > 0.1)
            // The last picture was shown at 0.3 s, and the picture before it a tenth of a second earlier.
            opening.end(isStopped: true)
            #expect(level(first + 19_200) == 0)
            #expect(track.status.state == .ended)
        }
    }
}
#endif
