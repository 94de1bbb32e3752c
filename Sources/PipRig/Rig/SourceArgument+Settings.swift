package import PipCompose

extension SourceArgument {
    /// Returns the same camera with other requested settings.
    ///
    /// A source that is not a camera is returned unchanged.
    package func requesting(_ wish: CameraWish) -> SourceArgument {
        guard case .camera(let selector, _) = kind else { return self }
        let name = text.lastIndex(of: "?").map { String(text[..<$0]) } ?? text
        var options: [String] = []
        if let preset = wish.preset { options.append("preset=\(preset.rawValue)") }
        if let size = wish.size { options.append("size=\(size)") }
        if let rate = wish.frameRate { options.append("fps=\(rate)") }
        if let limit = wish.rateLimit { options.append("limit=\(limit)") }
        if wish.isPaused { options.append("paused=on") }
        if let format = wish.format { options.append("format=\(Self.name(of: format))") }
        if let space = wish.colorSpace { options.append("color-space=\(space.rawValue)") }
        if wish.rotation != .mounting { options.append("rotate=\(wish.rotation)") }
        options += wish.adjustments.words.map { "\($0.key)=\($0.value)" }
        options += wish.controls.map { "control.\($0.name)=\($0.value)" }
        return SourceArgument(
            .camera(selector, wish), text: options.isEmpty ? name : "\(name)?\(options.joined(separator: "&"))")
    }

    /// The name of a camera's pixel format in the syntax that ``deviceFormat(_:)`` reads.
    package static func name(of format: FourCC) -> String {
        if format == FourCC("MJPG") { return "mjpeg" }
        if format == FourCC("JPEG") { return "jpeg" }
        return PixelFormat.allCases.first { $0.fourCC == format }?.rawValue ?? "\(format)"
    }
}
