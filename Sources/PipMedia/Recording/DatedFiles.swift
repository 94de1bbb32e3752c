#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSinks

/// The latest complete files of a recording, which get new names and dates when the clock jumps.
///
/// Boards without a clock chip begin in 1970, until a network or a receiver of satellites has told them the time.
///
/// Thread: any.
final class DatedFiles: Sendable {
    private struct State {
        /// The lead of the clock when files were last compared with it.
        var lead: Duration
        var files: [DatedFile] = []
    }

    /// The largest number of files that get new names.
    private static let most = 1000

    private let names: FileNames
    private let calendar: RecordingCalendar
    private let state: Monitor<State>

    init(_ names: FileNames, by calendar: RecordingCalendar) {
        (self.names, self.calendar) = (names, calendar)
        state = Monitor(State(lead: calendar.lead))
    }

    /// Takes over a complete file, and corrects its dates if the clock has jumped while the file was written.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - move: Moves the file, as into the folder of locked recordings, and returns its path after that.
    /// - Returns: The file's path.
    func keep(_ file: DatedFile, movedBy move: (String) -> String) -> String {
        var file = file
        file.correct(names, by: calendar)
        file.path = move(file.path)
        return state.update { state in
            // The clock may have jumped meanwhile.
            file.correct(names, by: calendar)
            if state.files.count == Self.most { state.files.removeFirst() }
            state.files.append(file)
            return file.path
        }
    }

    /// Corrects the files if the clock has jumped since the last call.
    ///
    /// - Returns: A sentence about the jump; nil without a jump.
    func look() -> String? {
        state.update { state in
            guard let jump = calendar.jump(since: state.lead) else { return nil }
            state.lead += jump
            for index in state.files.indices { state.files[index].correct(names, by: calendar) }
            let days = Int((jump.inSeconds / 86_400).rounded())
            return "the clock was set \(days < 0 ? "back" : "forward") by \(abs(days)) days: files that began before "
                + "get new \(names.hasTime ? "names and dates" : "dates")"
        }
    }
}
#endif
