#if Media
internal import PipConcurrency
internal import PipFrames
public import PipSound

/// A microphone: a device of ALSA or a source of PulseAudio or of PipeWire's Pulse.
///
/// ```swift
/// let sound = AudioMixer()
/// sound.add(Microphone("hw:CARD=C920,DEV=0"))
/// ```
///
/// It is recorded while a session with outputs of its mixer runs. One that is unplugged is silent until it is back;
/// its clock's drift is resampled away.
public struct Microphone: AudioSource {
    private let device: MicrophoneDevice
    public let label: String

    /// A device of ALSA, which no other program's settings lie before.
    ///
    /// - Parameter name: As `pip-compose devices --audio` lists it: ALSA's name, a USB port, the number in the list, a
    ///   part of the card's name; or a name of ALSA's configuration, such as `default`.
    public init(_ name: String) {
        device = .alsa(name)
        label = name
    }

    /// A microphone that was found.
    ///
    /// - Parameter device: One of ``/PipCompose/AudioDirectory/microphones()``.
    public init(_ device: AudioDevice) {
        self.device = .alsa(device.stableName)
        label = device.card
    }

    init(_ device: MicrophoneDevice, label: String) {
        self.device = device
        self.label = label
    }

    /// A source of PulseAudio, or of PipeWire in its place.
    ///
    /// - Parameter name: As `pactl list short sources` lists it; nil takes the user's default.
    /// - Returns: The microphone.
    public static func pulse(_ name: String? = nil) -> Microphone {
        Microphone(.pulse(name, server: nil), label: name.map { "pulse:\($0)" } ?? "pulse")
    }

    /// Finds out whether there is such a microphone, and whether it is free; one of a sound server is not asked for.
    ///
    /// - Throws: ``/PipCompose/SoundError`` with what there is instead.
    public func check() throws(SoundError) { try device.check() }

    public var opening: AudioOpening {
        let device = device
        return AudioOpening(isLive: true) { (context) throws(SoundError) in
            try device.check()
            return LiveSound(context) { () throws(MediaError) in try DeviceCapture(device) }
        }
    }
}

/// Where a microphone is.
enum MicrophoneDevice: Sendable, Equatable {
    case alsa(String)
    /// Of a server by its address; nil for the user's.
    case pulse(String?, server: String?)

    /// The element that records.
    var element: String {
        switch self {
        case .alsa: "alsasrc"
        case .pulse: "pulsesrc"
        }
    }

    /// Finds out at once what would fail for ever.
    ///
    /// - Throws: ``/PipCompose/SoundError`` when there is no such device, it is in use, or the engine lacks an element.
    func check() throws(SoundError) {
        guard GStreamer.has(element) else {
            throw SoundError(
                .unavailable, subject: "a microphone", operation: "be opened",
                reason: GStreamer.missing([element]).reason)
        }
        guard case .alsa(let name) = self, !Self.isConfigured(name) else { return }
        let device = try AudioDirectory().microphone(named: name)
        guard device.isInUse else { return }
        throw SoundError(
            .unavailable, subject: device.description, operation: "record from it",
            reason: "another program records from it",
            hint: "pulse records from what a sound server holds; `fuser -v /dev/snd/*` names the program")
    }

    /// The device by the name that the engine knows, as it is now: its card may have another number than before.
    ///
    /// - Throws: ``/PipCompose/SoundError`` when there is no such device.
    func engineName() throws(SoundError) -> String? {
        switch self {
        case .pulse(let name, _): name
        case .alsa(let name): Self.isConfigured(name) ? name : try AudioDirectory().microphone(named: name).name
        }
    }

    /// True for a name of ALSA's configuration, which may be anything but a card's.
    private static func isConfigured(_ name: String) -> Bool {
        ["default", "pulse", "pipewire", "null", "sysdefault"].contains(name)
            || ["plughw:", "dsnoop:", "sysdefault:", "plug:", "file:"].contains { name.hasPrefix($0) }
    }
}

/// One opening of a device: a pipeline that records.
final class DeviceCapture: SoundCapture {
    private let pipeline: Pipeline
    private let outlet: Outlet
    private let start: Timestamp

    /// - Parameter device: The device.
    /// - Throws: ``MediaError`` when it cannot be opened.
    init(_ device: MicrophoneDevice) throws(MediaError) {
        let name: String?
        do throws(SoundError) { name = try device.engineName() } catch {
            throw MediaError(kind: .missing, reason: error.reason)
        }
        // Its own rate, best 48 kHz: what differs from ours is resampled together with its drift.
        pipeline = try Pipeline(
            """
            \(device.element) name=in buffer-time=80000 latency-time=10000 provide-clock=false \
            slave-method=re-timestamp ! audio/x-raw,rate=48000,channels=[1,2];\
            audio/x-raw,rate=[8000,192000],channels=[1,8] ! audioconvert \
            ! audio/x-raw,format=F32LE,layout=interleaved ! appsink name=out
            """)
        if let name { pipeline.set("device", of: "in", to: name) }
        if case .pulse(_, let server?) = device { pipeline.set("server", of: "in", to: server) }
        // On other devices the driver's times are of another clock.
        if case .alsa = device {
            let isHardware = name?.hasPrefix("hw:") ?? false
            pipeline.set("use-driver-timestamps", of: "in", to: isHardware ? "true" : "false")
        }
        outlet = Outlet("out", of: pipeline)
        pipeline.set("max-buffers", of: "out", to: "200")
        start = MonotonicClock().now
        try pipeline.play(base: start)
    }

    func next(within patience: Duration) throws(MediaError) -> AudioBlock? {
        if let sample = outlet.pull(within: patience), let (block, time) = sample.sound {
            var block = block
            block.timestamp = start.advanced(by: time)
            return block
        }
        while let message = pipeline.nextMessage() {
            switch message {
            case .failed(let error): throw error
            case .ended: throw MediaError(kind: .failed, reason: "it has ended")
            case .warning: break
            }
        }
        return nil
    }

    func stop() { pipeline.stop() }
}
#endif
