#if Media
import Foundation
import PipTestSupport
import Testing

/// A folder of recordings whose writers are cut off again and again, and the recordings that must survive.
struct SurvivingRecordings {
    /// The script of the writers: it records parts and clips, and locks, unlocks and deletes recordings, until the cut.
    ///
    /// The arguments are the program, the file of acknowledged locks, the delay in seconds, the command that cuts, and
    /// the pattern of a file from which the delay counts, or nothing.
    private static let script = """
        program=$1 acknowledged=$2
        (until [ ! "$5" ] || compgen -G "$5" >/dev/null; do sleep 0.05; done; sleep "$3"; eval "$4") &
        (while sleep 0.4; do echo moment; done) | "$program" --quiet --main 'pattern:scene?size=160x96' --on line,do=clip \\
            --output 'part-%H%M%S-%05d.mp4?segment=1s&keep=400kB&gop=200ms' \\
            --output 'clip-%H%M%S-%05d.mp4?event=300ms+200ms&lock=1GB&gop=200ms' &
        while sleep 0.05; do
            # The rows of complete recordings that are not locked end with their names.
            set -- $("$program" recordings . | grep -o 'part-[0-9-]*[.]mp4$')
            if [ "$2" ]; then
                "$program" recordings lock . "$2" && echo "$2" >>"$acknowledged" && sync "$acknowledged"
            fi
            if [ "$4" ]; then
                "$program" recordings lock . "$3" && "$program" recordings unlock . "locked/$3"
                "$program" recordings delete . "$4"
            fi
        done
        """

    /// The folder of the script and of its notes.
    let folder: TemporaryFolder
    /// The names of the recordings that are known to be locked, with their sizes.
    private(set) var locked: [String: Int] = [:]

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array(Self.script.utf8), to: "work.sh")
        try folder.write([], to: "acknowledged")
    }

    /// A moment at which writers are cut off.
    struct Cut {
        /// The number of seconds until the cut.
        let delay: Double
        /// The pattern of a file from which the delay counts; empty for a delay from the beginning.
        let beginning: String
    }

    /// The cuts, spread over the script's work; every second one when something is locked, however slow the machine is.
    static func cuts(_ count: Int) -> [Cut] {
        (0..<count).map {
            Cut(delay: 1.5 + Double($0 * 997 % 3000) / 1000, beginning: $0 % 2 == 0 ? "" : "locked/*.mp4")
        }
    }

    /// The number of cuts of each kind: four in usual runs of the tests.
    static let points = ProcessInfo.processInfo.environment["PIP_CUTS"].flatMap { Int($0) } ?? 4

    /// Checks the recordings in a folder after a cut.
    ///
    /// - Parameters:
    ///   - path: The folder of the recordings, within ``folder``.
    ///   - point: The cut, for messages.
    /// - Throws: The error of a file that cannot be read, or of a program that cannot be run.
    mutating func check(_ path: String, after point: Comment) async throws {
        let list = try await listed(path, point)
        let files = try Set(
            ["", "locked/"].flatMap { place in
                try FileManager.default.contentsOfDirectory(atPath: folder.path("\(path)/\(place)"))
                    .filter { $0.hasSuffix(".mp4") && !$0.hasPrefix(".") }.map { place + $0 }
            })
        #expect(Set(list.keys) == files, "\(point)")
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.path("\(path)/.recordings-2.sqlite\(ending)"))
        }
        #expect(try await listed(path, point) == list, "\(point): the table that is made from the files")
        for (name, recording) in list {
            #expect(recording.bytes == (try folder.read("\(path)/\(name)").count), "\(point): \(name)")
        }
        let acknowledged = String(decoding: try folder.read("acknowledged"), as: UTF8.self).split(separator: "\n")
        #expect(Set(acknowledged.map { "locked/\($0)" }).isSubset(of: files), "\(point)")
        #expect(Set(locked.keys).isSubset(of: files), "\(point)")
        for name in list.keys where name.hasPrefix("locked/") {
            let file = "\(path)/\(name)"
            let size = try folder.read(file).count
            if let known = locked.updateValue(size, forKey: name) {
                #expect(known == size, "\(point): \(name)")
                continue
            }
            #expect(list[name]?.state == "complete", "\(point): \(name)")
            let playing = try await CommandProcess(
                ["ffmpeg", "-nostdin", "-v", "error", "-i", file, "-f", "null", "-"], of: URL(filePath: "/usr/bin/env"),
                in: folder.url)
            #expect(playing.status == 0 && playing.errors == "", "\(point): \(name): \(playing.errors)")
        }
    }

    /// Prints how far a series of cuts is, each twenty cuts and at its end.
    ///
    /// - Parameters:
    ///   - kind: The kind of the cuts.
    ///   - number: The index of the cut that was checked.
    func report(_ kind: String, _ number: Int) {
        guard (number + 1).isMultiple(of: 20) || number + 1 == Self.points else { return }
        print("\(kind): \(number + 1) of \(Self.points) points, \(locked.count) locked recordings")
        fflush(nil)
    }

    /// A recording as the command lists it.
    private struct Listed: Equatable {
        let state: String
        let bytes: Int?
    }

    /// The recordings in a folder as the command lists them, keyed by name.
    private func listed(_ path: String, _ point: Comment) async throws -> [String: Listed] {
        let list = try await CommandProcess(
            ["recordings", path, "--limit", "100000", "--json"], in: folder.url, seconds: 600)
        #expect(list.status == 0, "\(point): \(list.errors)")
        let found = try #require(try JSONSerialization.jsonObject(with: list.output) as? [[String: Any]])
        let pairs = found.compactMap { recording -> (String, Listed)? in
            guard let name = recording["name"] as? String, let state = recording["state"] as? String else { return nil }
            // A file that is not complete counts as being written for ten seconds.
            let isInterrupted = state == "recording" || state == "damaged"
            return (name, Listed(state: isInterrupted ? "interrupted" : state, bytes: recording["bytes"] as? Int))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
#endif
