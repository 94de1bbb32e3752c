#if Media
internal import PipConcurrency
internal import PipFrames
public import PipSound

/// A microphone: a device of ALSA, or a source of PulseAudio or PipeWire.
///
/// Add the microphone to a mixer for live sound.
///
/// ```swift
/// let sound = AudioMixer()
/// sound.add(Microphone("hw:CARD=C920,DEV=0"))
/// ```
///
/// The microphone records while its mixer has outputs in a running session. An unplugged microphone is silent until it
/// is plugged in again. The mixer resamples the sound to cancel the drift of the microphone's clock.
public struct Microphone: AudioSource {
    private let device: MicrophoneDevice
    public let label: String

    /// Creates a microphone for an ALSA device, which bypasses sound servers.
    ///
    /// - Parameter name: A name that `pip-compose devices --audio` lists (ALSA's name, a USB port, the number in the
    ///   list, or a part of the card's name), or a name in ALSA's configuration, such as `default`.
    public init(_ name: String) {
        device = .alsa(name)
        label = name
    }

    /// Creates a microphone for a device in the list of microphones.
    ///
    /// - Parameter device: A device from ``/PipCompose/AudioDirectory/microphones()``.
    public init(_ device: AudioDevice) {
        self.device = .alsa(device.stableName)
        label = device.card
    }

    init(_ device: MicrophoneDevice, label: String) {
        self.device = device
        self.label = label
    }

    /// Creates a microphone for a source of a sound server: PulseAudio, or PipeWire in its place.
    ///
    /// - Parameter name: A name that `pactl list short sources` lists. Nil takes the user's default source.
    /// - Returns: The microphone.
    public static func pulse(_ name: String? = nil) -> Microphone {
        Microphone(.pulse(name, server: nil), label: name.map { "pulse:\($0)" } ?? "pulse")
    }

    /// Checks that an ALSA device exists and that no other program uses it.
    ///
    /// The call checks only that the GStreamer element for recording is installed, if the microphone is a source of a
    /// sound server or a name in ALSA's configuration.
    ///
    /// - Throws: ``/PipCompose/SoundError``, which lists the existing microphones when there is no such device.
    public func check() throws(SoundError) { try device.check() }

    public var opening: AudioOpening {
        let device = device
        return AudioOpening(isLive: true) { (context) throws(SoundError) in
            try device.check()
            return LiveSound(context) { () throws(MediaError) in try DeviceCapture(device) }
        }
    }
}

/// A microphone's device: a device of ALSA, or a source of a sound server.
enum MicrophoneDevice: Sendable, Equatable {
    case alsa(String)
    /// A source of a sound server.
    ///
    /// A nil name means the user's default source, and a nil server means the user's default server.
    case pulse(String?, server: String?)

    /// The GStreamer element that records from the device.
    var element: String {
        switch self {
        case .alsa: "alsasrc"
        case .pulse: "pulsesrc"
        }
    }

    /// Checks for the errors that would repeat with every attempt to open the device.
    ///
    /// - Throws: ``/PipCompose/SoundError`` when the device does not exist or is in use, or when GStreamer lacks the
    ///   element or does not start.
    func check() throws(SoundError) {
        do throws(MediaError) { try GStreamer.require([element]) } catch {
            throw SoundError(.unavailable, subject: "a microphone", operation: "be opened", reason: error.reason)
        }
        guard case .alsa(let name) = self, !Self.isConfigured(name) else { return }
        let device = try AudioDirectory().microphone(named: name)
        guard device.isInUse else { return }
        throw SoundError(
            .unavailable, subject: device.description, operation: "record from it",
            reason: "another program records from it",
            hint: "use pulse for a device that a sound server holds; `fuser -v /dev/snd/*` names the program")
    }

    /// Returns the device's current name for the GStreamer element; nil for the default source.
    ///
    /// A card's number may have changed since the last call.
    ///
    /// - Throws: ``/PipCompose/SoundError`` when there is no such device.
    func engineName() throws(SoundError) -> String? {
        switch self {
        case .pulse(let name, _): name
        case .alsa(let name): Self.isConfigured(name) ? name : try AudioDirectory().microphone(named: name).name
        }
    }

    /// True for a name from ALSA's configuration, which may not belong to a card.
    private static func isConfigured(_ name: String) -> Bool {
        ["default", "pulse", "pipewire", "null", "sysdefault"].contains(name)
            || ["plughw:", "dsnoop:", "sysdefault:", "plug:", "file:"].contains { name.hasPrefix($0) }
    }
}

/// A pipeline that records from a microphone.
final class DeviceCapture: SoundCapture {
    private let pipeline: Pipeline
    private let outlet: Outlet
    private let start: Timestamp

    /// Opens the device and starts to record.
    ///
    /// - Parameter device: The device.
    /// - Throws: ``MediaError`` when the device cannot be opened.
    init(_ device: MicrophoneDevice) throws(MediaError) {
        let name: String?
        do throws(SoundError) { name = try device.engineName() } catch {
            throw MediaError(kind: .missing, reason: error.reason + (error.hint.map { " (\($0))" } ?? ""))
        }
        // Keep the device's rate, preferably 48 kHz: the timeline resamples the sound anyway, to cancel the drift.
        pipeline = try Pipeline(
            """
            \(device.element) name=in buffer-time=80000 latency-time=10000 provide-clock=false \
            slave-method=re-timestamp ! audio/x-raw,rate=48000,channels=[1,2];\
            audio/x-raw,rate=[8000,192000],channels=[1,8] ! audioconvert \
            ! audio/x-raw,format=F32LE,layout=interleaved ! appsink name=out
            """)
        if let name { pipeline.set("device", of: "in", to: name) }
        if case .pulse(_, let server?) = device { pipeline.set("server", of: "in", to: server) }
        // Only the driver timestamps of hardware devices come from the monotonic clock.
        if case .alsa = device {
            let isHardware = name?.hasPrefix("hw:") ?? false
            pipeline.set("use-driver-timestamps", of: "in", to: isHardware ? "true" : "false")
        }
        outlet = Outlet("out", of: pipeline)
        pipeline.set("max-buffers", of: "out", to: "200")
        start = MonotonicClock().now
        try pipeline.play(base: start)
    }

    func next(within timeout: Duration) throws(MediaError) -> AudioBlock? {
        if let sample = outlet.pull(within: timeout), let (block, time) = sample.sound {
            var block = block
            block.timestamp = start.advanced(by: time)
            return block
        }
        while let message = pipeline.nextMessage() {
            switch message {
            case .failed(let error): throw error
            case .ended: throw MediaError(kind: .failed, reason: "the recording has ended")
            case .warning: break
            }
        }
        return nil
    }

    func stop() { pipeline.stop() }
}
#endif
