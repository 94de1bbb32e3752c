#if Media
import Foundation
import Testing

/// Runs a program that is not ours, and gives what it prints; throws when it fails.
@discardableResult
func runProgram(_ words: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ProgramFailure(command: words.joined(separator: " "), status: process.terminationStatus)
    }
    return said
}

struct ProgramFailure: Error {
    let command: String
    let status: Int32
}

/// What ffprobe reads in a movie.
struct Probe {
    /// `codec_name=h264` and the like, of the first picture stream.
    let fields: [String: String]
    /// The pictures' times in seconds, in the order of the file.
    let times: [Double]
    /// Whether the first packet is a key frame.
    let beginsWithKey: Bool
    /// Pictures that were decoded.
    let frames: Int

    init(_ path: String) throws {
        let text = try runProgram(
            ["ffprobe", "-v", "error", "-select_streams", "v:0", "-count_frames", "-show_streams", "-of", "flat", path])
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, let key = halves[0].split(separator: ".").last else { continue }
            fields[String(key)] = halves[1].trimmingCharacters(in: ["\""])
        }
        self.fields = fields
        frames = fields["nb_read_frames"].flatMap(Int.init) ?? 0
        let packets = try runProgram(
            [
                "ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time,flags", "-of",
                "csv=p=0", path,
            ]
        ).split(separator: "\n").map { $0.split(separator: ",") }
        times = packets.compactMap { $0.first.flatMap { Double($0) } }
        beginsWithKey = packets.first?.dropFirst().first?.hasPrefix("K") == true
    }

    /// The longest and the shortest time between two pictures; nil with fewer than two.
    var steps: ClosedRange<Double>? {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        guard let least = steps.min(), let most = steps.max() else { return nil }
        return least...most
    }
}
#endif
