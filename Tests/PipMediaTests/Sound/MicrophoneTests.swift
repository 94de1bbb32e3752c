#if Media
import PipCompose
import PipConcurrency
import PipFrames
import PipPatterns
import PipSound
import PipTestSupport
import Testing

@testable import PipMedia

@Suite("Microphones", .timeLimit(.minutes(2)))
struct MicrophoneTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Recording {
        /// The time of the first picture, in seconds of the virtual clock.
        var start = 0.0
        var events: [String] = []
        var status = AudioStatus(.closed)
        var levels: [AudioLevel] = []
    }

    /// Records a session with a microphone in virtual time.
    private func record(
        _ seconds: Int, _ change: @Sendable (inout FakeMicrophone) -> Void = { _ in },
        meanwhile: @Sendable (AudioMixer, AudioInput, MonotonicClock) async throws -> Void = { _, _, _ in }
    ) async throws -> Recording {
        let path = folder.path("a.mp4")
        return try await VirtualTime.run { clock, _ in
            var microphone = FakeMicrophone(clock: clock)
            change(&microphone)
            let mixer = AudioMixer()
            let input = mixer.add(microphone)
            let times = Monitor<[Timestamp]>([])
            let picture = Compositor { Layer(PatternSource(.bars, size: PixelSize(64, 48))) }
            let movie = picture --> MovieFile(path, sound: [mixer])
            picture --> CustomSink("clock") { FrameClock(times) }
            var options = SessionOptions()
            options.time = clock
            options.queueCapacity = 120
            let session = try await Session(picture, options: options)
            var recording = Recording()
            async let events = session.events.reduce(into: [String]()) { $0.append($1.description) }
            async let run: Void = session.run(for: .seconds(seconds))
            try await meanwhile(mixer, input, clock)
            try await clock.sleep(for: .seconds(1))
            (recording.status, recording.levels) = (input.status, mixer.levels)
            try await run
            recording.events = await events
            recording.start = Double(times.read { $0.first?.nanoseconds ?? 0 }) / 1e9
            #expect(movie.statistics.drops.total == 0)
            return recording
        }
    }

    /// The lateness of the heard beeps in seconds of the virtual clock, and the whole second that each beep belongs to.
    private func lateness(_ heard: HeardFile, _ recording: Recording) -> (errors: [Double], seconds: [Int]) {
        // A beep that sounds when the recording begins is left out, because its beginning is missing.
        let moments = heard.beeps.filter { $0 > 0.5 }.map { $0 + recording.start }
        return (moments.map { $0 - $0.rounded() }, moments.map { Int($0.rounded()) })
    }

    @Test(
        "sound has the time at which it was captured, also if the device's clock is off", arguments: [0.0, 200e-6])
    func moments(_ drift: Double) async throws {
        let recording = try await record(12) { $0.rate = 48_000 * (1 + drift) }
        let heard = try HeardFile(folder.path("a.mp4"))
        let (errors, seconds) = lateness(heard, recording)
        #expect(seconds.count >= 11)
        #expect(errors.allSatisfy { abs($0) < 0.003 }, "\(errors)")
        #expect(recording.status.state == .sounding && recording.status.returns == 0)
    }

    @Test("an unplugged microphone is silent, and heard at the right time after it is plugged in again")
    func absence() async throws {
        let recording = try await record(14) { $0.absence = .milliseconds(4300)..<(.milliseconds(7400)) }
        let heard = try HeardFile(folder.path("a.mp4"))
        let (errors, seconds) = lateness(heard, recording)
        #expect(errors.allSatisfy { abs($0) < 0.003 }, "\(errors)")
        let first = try #require(seconds.first)
        // The microphone is opened again at most two seconds after its return.
        #expect(seconds.contains(first + 1) && !seconds.contains(first + 4) && seconds.contains(first + 9))
        #expect(recording.events.contains { $0.contains("it was unplugged; there is silence until it is back") })
        #expect(recording.events.contains { $0.contains("it is back") })
    }

    @Test("a microphone that is missing at the start is reported like one that is lost later")
    func absentAtFirst() async throws {
        let recording = try await record(8) { $0.absence = .zero..<(.milliseconds(2400)) }
        #expect(recording.status.state == .missing)
        #expect(recording.status.problem?.contains("no microphone has this name") == true)
        let told = recording.events.filter { $0.contains("no microphone has this name; there is silence until") }
        #expect(told.count == 1, "\(recording.events)")
        #expect(recording.events.contains { $0.contains("it is back") })
        let (errors, seconds) = lateness(try HeardFile(folder.path("a.mp4")), recording)
        #expect(seconds.count >= 3 && errors.allSatisfy { abs($0) < 0.003 }, "\(errors)")
    }

    @Test("an input that cannot be opened is missing while the session runs, and closed after it")
    func unopened() async throws {
        let added = Monitor<AudioInput?>(nil)
        _ = try await record(4) { _ in
        } meanwhile: { mixer, _, clock in
            try await clock.sleep(for: .seconds(2))
            let input = mixer.add(Microphone("no such thing"))
            #expect(input.status.state == .missing)
            added.update { $0 = input }
        }
        let found = added.read { $0 }
        let input = try #require(found)
        let limit = MonotonicClock().now.advanced(by: .seconds(20))
        #expect(input.state.wait(until: limit) { $0.lastStatus.state == .closed ? true : nil } == true)
        #expect(input.status.problem != nil)
    }

    @Test("a device that is not found is reported with advice")
    func hint() throws {
        let error = #expect(throws: SoundError.self) { _ = try AudioDirectory().microphone(named: "no such thing") }
        let hint = try #require(error?.hint)
        let failure = #expect(throws: MediaError.self) { _ = try DeviceCapture(.alsa("no such thing")) }
        #expect(failure?.reason.hasSuffix("(\(hint))") == true, "\(String(describing: failure))")
    }

    @Test("a mute and a gain are heard while it records, and the file has no gap")
    func mute() async throws {
        let recording = try await record(9) { _ in
        } meanwhile: { mixer, input, clock in
            try await clock.sleep(for: .milliseconds(3500))
            input.isMuted = true
            try await clock.sleep(for: .seconds(3))
            input.isMuted = false
            mixer.gain = -20
        }
        let heard = try HeardFile(folder.path("a.mp4"))
        let (errors, seconds) = lateness(heard, recording)
        // A beep at -20 dB is too quiet to count.
        #expect(seconds.count == 2 || seconds.count == 3)
        #expect(errors.allSatisfy { abs($0) < 0.003 }, "\(errors)")
        #expect(abs(Double(heard.samples.count) / 48_000 - 9) < 0.06)
        #expect(heard.rms(4.2..<6.2) < 0.0001 && heard.rms(7.0..<9.0) > 0.003)
    }

    @Test("a microphone is refused at maximum pace, and a missing one with the reason")
    func refusals() async throws {
        for (source, reason) in [
            (Microphone.pulse(), "is live sound, and this session"), (Microphone("no such thing"), "microphone"),
        ] {
            let mixer = AudioMixer()
            mixer.add(source)
            let picture = Compositor { Layer(PatternSource(.bars, size: PixelSize(64, 48))) }
            picture --> MovieFile(folder.path("a.mp4"), sound: [mixer])
            var options = SessionOptions()
            if source.label == "pulse" { options.pace = .maximum }
            let error = await #expect(throws: SessionError.self) {
                try await Session(picture, options: options).run(frames: 2)
            }
            #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
        }
    }
}
#endif
