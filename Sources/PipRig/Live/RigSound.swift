package import PipCompose

#if Media
package import PipMedia

/// The sound of a composition: a mixer with an input for each source of sound.
package struct RigSound: Sendable {
    package let mixer: AudioMixer

    /// Creates the mixer and its inputs; nil for a composition without sound.
    ///
    /// - Parameters:
    ///   - rig: The composition with its sources of sound.
    ///   - pictures: The source nodes of the pictures, in the order of the composition.
    /// - Throws: ``/PipCompose/SoundError`` for a microphone that cannot be used, ``UsageError`` for a file that does
    ///   not exist, and ``UsageError``, ``RigError`` or `CaptureError` for a picture without sound.
    package init?(_ rig: Rig, _ pictures: [any FrameProducer]) throws {
        guard !rig.sound.isEmpty else { return nil }
        mixer = AudioMixer()
        for argument in rig.sound {
            let input = try Self.add(argument, to: mixer, rig, pictures)
            input.gain = argument.gain
            input.balance = argument.balance
            input.highPass = argument.highPass
            input.isMuted = argument.isMuted
        }
    }

    private static func add(
        _ argument: AudioArgument, to mixer: AudioMixer, _ rig: Rig, _ pictures: [any FrameProducer]
    ) throws -> AudioInput {
        let name = argument.name
        switch argument.kind {
        case .alsa(let device):
            do {
                return mixer.add(try checked(Microphone(device)), name: name)
            } catch  where AudioArgument.mayBeFile(device) {
                throw UsageError("the sound \(argument.text): there is no file of this name; \(error)")
            }
        case .pulse(let source): return mixer.add(try checked(.pulse(source)), name: name)
        case .file(let path, let loops, let from, let to):
            return mixer.add(SoundFile(path, loops: loops, from: from, to: to), name: name)
        case .tone(let frequency): return mixer.add(ToneSource(frequency), name: name)
        case .beep: return mixer.add(BeepSource(), name: name)
        case .silence: return mixer.add(ToneSource.silence, name: name)
        case .camera(let target):
            return mixer.add(try checked(Microphone(try microphone(of: target, argument.text, rig))), name: name)
        case .movie(let target):
            switch pictures[safe: target.index] {
            case let movie as MovieSource: return mixer.add(MovieSound(movie), name: name)
            case let stream as StreamSource: return mixer.add(StreamSound(stream), name: name)
            default:
                throw UsageError(
                    "the sound \(argument.text): \(target) is neither a movie nor a stream; \(AudioArgument.kinds)")
            }
        }
    }

    private static func checked(_ microphone: Microphone) throws -> Microphone {
        try microphone.check()
        return microphone
    }

    /// Finds the microphone in a camera's housing.
    private static func microphone(
        of target: PictureTarget, _ text: String, _ rig: Rig
    ) throws -> AudioDevice {
        guard case .camera(let selector, _)? = rig.pictures[safe: target.index]?.source.kind else {
            throw UsageError("the sound \(text): \(target) is not a camera; \(AudioArgument.kinds)")
        }
        let camera = try CameraDirectory().camera(matching: selector)
        let microphones = try AudioDirectory().microphones()
        guard let found = AudioDevice.microphone(ofCameraAt: camera.busInfo, among: microphones) else {
            let list = microphones.map(\.description).joined(separator: ", ")
            throw RigError(
                .unknown,
                "the sound \(text): \(camera.card) has no microphone; "
                    + (list.isEmpty ? "there is no microphone at all" : "the microphones are \(list)"))
        }
        return found
    }

    /// The audio tracks that an output with this choice of sound receives.
    package func tracks(_ choice: SoundChoice) -> [any AudioProducer] {
        switch choice {
        case .usual, .on: [mixer]
        case .off: []
        case .one(let name): mixer.inputs.filter { $0.name == name }.prefix(1).map { $0 }
        case .tracks: mixer.inputs
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
#else
/// Refuses sound in a program that was built without media.
package struct RigSound: Sendable {
    package init?(_ rig: Rig, _ pictures: [any FrameProducer]) throws {
        guard let first = rig.sound.first else { return nil }
        throw UsageError("the sound \(first.text): \(withoutMedia)")
    }
}
#endif
