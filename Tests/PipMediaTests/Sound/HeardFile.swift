#if Media
import Foundation
import PipFrames
import PipSinks
import PipSound
import PipTestSupport

/// The sound of a file, as a player plays it.
struct HeardFile {
    /// The samples of the left or only channel at 48 kHz.
    ///
    /// The first sample of a movie is played with the first picture.
    let samples: [Float]

    /// Decodes a file that has only sound.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: The error of a file that cannot be read.
    init(sound path: String) throws { samples = try Self.decoded(path, track: 0) }

    /// Decodes a sound track of a movie file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - track: The number of the sound track.
    /// - Throws: The error of a file that cannot be read.
    init(_ path: String, track: Int = 0) throws {
        let heard = try Self.decoded(path, track: track)
        let first = try ["a:\(track)", "v:0"].map { stream in
            let text = try runProgram([
                "ffprobe", "-v", "error", "-select_streams", stream, "-read_intervals", "%+4", "-show_entries",
                "frame=pts_time", "-of", "csv=p=0", path,
            ])
            return text.split { $0 == "\n" || $0 == "," }.first.flatMap { Double($0) } ?? 0
        }
        let silence = Int(((first[0] - first[1]) * 48_000).rounded())
        samples = silence >= 0 ? Array(repeating: 0, count: silence) + heard : Array(heard.dropFirst(-silence))
    }

    private static func decoded(_ path: String, track: Int) throws -> [Float] {
        let raw = FileManager.default.temporaryDirectory.appendingPathComponent("heard-\(UUID()).f32").path
        defer { try? FileManager.default.removeItem(atPath: raw) }
        try runProgram([
            "ffmpeg", "-v", "error", "-i", path, "-map", "0:a:\(track)", "-af", "pan=mono|c0=c0", "-ar", "48000", "-f",
            "f32le", raw,
        ])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
        return unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    }

    /// The times at which beeps begin, in seconds: loud samples after more than a twentieth of a second of quiet.
    var beeps: [Double] {
        var beeps: [Double] = []
        var quiet = 48_000
        for (index, sample) in samples.enumerated() {
            guard abs(sample) > 0.15 else {
                quiet += 1
                continue
            }
            if quiet > 2400 { beeps.append(Double(index) / 48_000) }
            quiet = 0
        }
        return beeps
    }

    /// The RMS level of a part of the sound; `range` is in seconds.
    func rms(_ range: Range<Double>) -> Float {
        let part = samples[Int(range.lowerBound * 48_000)..<min(samples.count, Int(range.upperBound * 48_000))]
        return (part.reduce(0) { $0 + $1 * $1 } / Float(max(1, part.count))).squareRoot()
    }
}

/// Writes a WAV file whose samples a function computes.
///
/// - Parameters:
///   - path: The path of the file.
///   - seconds: The length of the file.
///   - format: The format of the file. All channels are equal.
///   - sample: Returns the sample at a time in seconds.
/// - Throws: The error of a file that cannot be written.
func writeWAV(_ path: String, seconds: Double, _ format: AudioFormat = .mono, _ sample: (Double) -> Float) throws {
    let writer = WAVWriter(.path(path), format: format, coding: .float32)
    try writer.open()
    let count = format.frames(in: seconds)
    let samples = (0..<count).flatMap { frame in
        Array(repeating: sample(Double(frame) / Double(format.rate)), count: format.channels)
    }
    try writer.write(AudioBlock(format, samples: samples))
    try writer.finish()
}

/// The sample of the beeps at a time in seconds: each beep lasts 0.1 s and begins at a whole second, but not at 0.
func beep(_ time: Double) -> Float {
    let fraction = time - time.rounded(.down)
    return fraction < 0.1 && time >= 1 ? Float(cos(2 * Double.pi * 1000 * fraction)) * 0.5 : 0
}
#endif
