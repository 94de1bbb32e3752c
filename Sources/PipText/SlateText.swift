public import PipCompose
internal import PipFrames
internal import PipSources

/// Draws the text of slates: the name of the missing source, the reason, and the time of the loss.
struct SlateText: SlateCaption {
    var font: Font
    var zone: ClockZone

    /// The largest share of the slate's width that the text may take.
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
    /// Adds texts to slates: the name of the missing source, the reason, and the time of the loss.
    ///
    /// A layer with `.whenMissing(.slate)` shows a slate while its source is missing.
    ///
    /// - Parameters:
    ///   - font: The font of the texts. If the font is missing, slates have no text, and a warning is logged.
    ///   - zone: The time zone for the time of the loss.
    public mutating func captionSlates(_ font: Font = .default, zone: ClockZone = .local) {
        slateCaption = SlateText(font: font, zone: zone)
    }
}
