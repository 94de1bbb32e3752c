#if Media
import Foundation
import PipCompose
import PipConcurrency
import PipFrames
import PipMedia
import PipPanelSupport
import PipPatterns
import PipTestSupport

@testable import PipControl
@testable import PipRig

/// A folder with three parts of a recording, of a second each, and a clip of a moment.
struct RecordedFolder: Sendable {
    let folder: TemporaryFolder

    static let names = ["drive-00001.mp4", "drive-00002.mp4", "drive-00003.mp4", "clip-00001.mp4"]

    /// Records the files, in virtual time.
    init() async throws {
        folder = try TemporaryFolder()
        try await record(
            MovieFile(
                folder.path("drive-%05d.mp4"), encoding: VideoEncoding(keyFrameInterval: .milliseconds(500)),
                segments: .duration(.seconds(1))), seconds: 3)
        try await record(
            MovieFile(folder.path("clip-%05d.mp4"), clips: ClipWindow(before: .seconds(1), after: .seconds(1))),
            seconds: 4, mark: .milliseconds(2100))
    }

    private func record(_ file: MovieFile, seconds: Int, mark: Duration? = nil) async throws {
        try await VirtualTime.run { clock, _ in
            let picture = Compositor { Layer(PatternSource(.scene, size: PixelSize(160, 96))) }
            picture --> file
            var options = SessionOptions()
            options.time = clock
            let session = try await Session(picture, options: options)
            async let running: Void = session.run(for: .seconds(seconds))
            if let mark {
                try await clock.sleep(for: mark)
                session.mark("brake", reason: "0.6 g")
            }
            try await running
        }
    }

    /// Runs a panel that shows the recordings, and waits until it has found all of them.
    ///
    /// - Parameters:
    ///   - option: The text behind the folder, such as `?changes=off`.
    ///   - body: Receives the panel, and the recordings as it lists them.
    /// - Throws: The error of `body`, or that of a panel that does not list them.
    func run(
        _ option: String = "", _ body: @Sendable @escaping (RunningPanel, [JSON]) async throws -> Void
    ) async throws {
        let recordings = try PanelRecordings(folder.url.path + option)
        try await RunningPanel.run(recordings: recordings) { panel in
            try await body(panel, try await Self.listed(panel, count: Self.names.count))
        }
    }

    /// Waits until a panel lists a number of recordings, and returns them.
    static func listed(_ panel: RunningPanel, count: Int) async throws -> [JSON] {
        let deadline = ContinuousClock.now.advanced(by: .seconds(20))
        while ContinuousClock.now < deadline {
            let answer = try await panel.send("GET", "/api/v1/recordings")
            if case .array(let found)? = answer.json["recordings"], found.count == count { return found }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw PanelClient.Failure("the panel has not listed \(count) recordings")
    }
}
#endif
