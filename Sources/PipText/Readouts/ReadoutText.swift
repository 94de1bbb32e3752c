internal import PipFrames
internal import PipSources

/// A picture of a text with values.
final class ReadoutText: ValuePicture {
    private let format: ReadoutFormat
    private let picture: TextPicture

    init(_ format: ReadoutFormat, _ picture: TextPicture) { (self.format, self.picture) = (format, picture) }

    func draw(_ readings: Telemetry.Readings, at now: Timestamp) throws(SourceError) -> Timestamp? {
        let (text, due) = format.text(of: readings, at: now)
        try picture.set(text)
        return due
    }

    var description: SourceDescription { picture.description }

    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame {
        picture.frame(at: offset, waitingUntil: deadline)
    }
}
