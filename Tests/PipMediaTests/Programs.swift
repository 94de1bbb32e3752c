#if Media
import Foundation
import Testing

@testable import PipMedia

/// Runs another program, and returns its standard output; throws when the program fails.
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

/// The properties of a movie file, as ffprobe reads them.
struct Probe {
    /// The fields of the first video stream, such as `codec_name`.
    let fields: [String: String]
    /// The presentation times of the pictures in seconds, in the file's order.
    let times: [Double]
    /// True when the first video packet is a key frame.
    let beginsWithKey: Bool
    /// The number of pictures that ffprobe decoded.
    let frames: Int

    init(_ path: String) throws {
        fields = try Self.fields(["-select_streams", "v:0", "-count_frames", "-show_streams"], of: path)
        frames = fields["nb_read_frames"].flatMap(Int.init) ?? 0
        let packets = try Self.packets("pts_time,flags", of: path)
        times = packets.compactMap { $0.first.flatMap { Double($0) } }
        beginsWithKey = packets.first?.dropFirst().first?.hasPrefix("K") == true
    }

    /// The fields that ffprobe prints for a file, keyed by the last part of their names.
    static func fields(_ arguments: [String], of path: String) throws -> [String: String] {
        var fields: [String: String] = [:]
        for line in try runProgram(["ffprobe", "-v", "error"] + arguments + ["-of", "flat", path]).split(
            separator: "\n")
        {
            let halves = line.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, let key = halves[0].split(separator: ".").last else { continue }
            fields[String(key)] = halves[1].trimmingCharacters(in: ["\""])
        }
        return fields
    }

    /// Returns the requested fields of each packet of a stream, in the file's order.
    static func packets(
        _ fields: String, of path: String, stream: String = "v:0", _ options: [String] = []
    ) throws -> [[Substring]] {
        try runProgram(
            [
                "ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=\(fields)", "-of",
                "csv=p=0",
            ]
                + options + [path]
        ).split(separator: "\n").map { $0.split(separator: ",") }
    }

    /// The range of the times between successive pictures, in seconds; nil for fewer than two pictures.
    var steps: ClosedRange<Double>? {
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        guard let least = steps.min(), let most = steps.max() else { return nil }
        return least...most
    }
}

extension GStreamer {
    /// True for a plug-in of a version or a later one.
    static func has(_ plugin: String, since version: [Int]) -> Bool {
        let numbers = (Self.version(ofPlugin: plugin) ?? "").split(separator: ".").map { Int($0) ?? 0 }
        return !numbers.lexicographicallyPrecedes(version)
    }
}
#endif
