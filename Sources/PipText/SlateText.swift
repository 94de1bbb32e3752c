public import PipCompose
internal import PipFrames
internal import PipSources

/// Writes the missing camera, the reason and the time of the loss on slates.
struct SlateText: SlateCaption {
    var font: Font
    var zone: ClockZone

    /// The largest share of the slate's width that a text takes.
    private static let share = 0.94

    func picture(_ notice: SlateNotice, on size: PixelSize) throws(SourceError) -> Frame {
        let time = ClockText(format: "%H:%M:%S", zone: zone).text(of: notice.since) ?? ""
        let text = "\(notice.name)\n\(notice.trouble) since \(time)"
        let height = Self.fitting(size.height / 10)
        let whole = try typesetter(height).layout(text).size.width
        let room = Double(size.width) * Self.share
        let setter = try typesetter(
            Double(whole) <= room ? height : Self.fitting(Int(Double(height) * room / Double(whole))))
        let layout = try setter.layout(text)
        return try setter.picture(layout, size: layout.size)
    }

    private func typesetter(_ size: Int) throws(SourceError) -> Typesetter {
        try Typesetter(TextStyle(font: font, size: size, alignment: .center), label: "slate", warn: { _ in })
    }

    private static func fitting(_ size: Int) -> Int {
        min(max(size, TextStyle.sizes.lowerBound), TextStyle.sizes.upperBound)
    }
}

extension SessionOptions {
    /// Captions slates, which layers show by `.whenMissing(.slate)`: the missing camera, the reason, and the time of
    /// the loss.
    ///
    /// - Parameters:
    ///   - font: The captions' font. If it is missing, slates stay plain and a warning is logged.
    ///   - zone: The time zone of the time of loss.
    public mutating func captionSlates(_ font: Font = .default, zone: ClockZone = .local) {
        slateCaption = SlateText(font: font, zone: zone)
    }
}
