internal import PipCompose
internal import PipSinks
internal import PipText

/// `--track FILE.gpx` or `--track FILE.csv`: a file of the way driven, or of all values.
///
/// A GPX file has the places of one receiver, `name=` for one of several; a CSV file has a line for each change of a
/// value. The fields of `strftime`, such as `%Y%m%d`, are filled in.
package struct TrackArgument: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case gpx, csv
    }

    package let kind: Kind
    /// The path with the fields of `strftime`.
    package let path: String
    /// The name of the receiver's source; nil for a source without a name.
    package let name: String?
    /// The text that the user typed.
    package let text: String

    package init(_ text: String) throws(UsageError) {
        self.text = text
        let halves = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        path = halves.first ?? ""
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let kind = Kind(rawValue: ending) else {
            throw UsageError("\(valueText(text)) is no file of a track: write drive-%Y%m%d.gpx or drive.csv")
        }
        self.kind = kind
        do throws(SinkError) { _ = try FileNames(path) } catch { throw UsageError(error.description) }
        guard halves.count == 2 else {
            name = nil
            return
        }
        let option = LayoutItem(halves[1][...])
        guard option.key == "name", kind == .gpx, let name = option.value, ReadoutFormat.isName(name) else {
            throw UsageError("\(text): only name=NAME may follow, for the places of one source in a GPX file")
        }
        self.name = name
    }
}
