package import PipCompose

/// `--still [TARGET:]PATH`: the picture that SIGUSR2 takes.
package struct StillArgument: Sendable, Equatable {
    /// A source's own picture, or nil for the whole.
    package let picture: PictureTarget?
    package let path: String
    /// As it was typed.
    package let written: String
    package let format: Still.Format
    /// Whether the camera is set to its largest size for it.
    package let isLargest: Bool
    /// Whether the camera lights it.
    package let flash: CameraFlash

    static let options = ["quality", "size", "flash"]

    package init(_ whole: String) throws(UsageError) {
        written = whole
        let text: String
        (picture, text) = PictureTarget.leading(whole)
        let query = try OptionQuery(text)
        path = query.name
        guard !path.isEmpty, !path.hasPrefix("--") else { throw UsageError("--still: a file's name is missing") }
        let ending = path.split(separator: "/").last?.split(separator: ".").last.map { $0.lowercased() } ?? ""
        switch ending {
        case "jpg", "jpeg":
            try query.allow("quality", "size", "flash", for: "a JPEG still")
            format = try query.number("quality", in: 1...100).map { .jpeg(quality: $0) } ?? .jpeg
        case "png":
            try query.allow("size", "flash", for: "a PNG still")
            format = .png
        default: throw UsageError("\(path): a still is a .jpg or .png file, as in --still 'still-%H%M%S.jpg'")
        }
        isLargest =
            try query.read("size") { value throws(UsageError) in
                guard value == "largest" else {
                    throw UsageError(
                        "\(value) is no size of a still: it has its picture's, or size=largest of a camera")
                }
                return true
            } ?? false
        flash = try query.choice("flash") ?? .off
        if let cameraOption, picture == nil || picture == .output {
            throw UsageError(
                "\(path): \(cameraOption) is for one camera's own picture, as in --still 'main:\(path)?\(cameraOption)'"
            )
        }
        do throws(SessionError) { try Still.check(path) } catch { throw UsageError(error.description) }
    }

    /// What is asked that only a camera's own picture has, as in `size=largest`; nil for nothing such.
    package var cameraOption: String? {
        isLargest ? "size=largest" : flash == .off ? nil : "flash=\(flash.rawValue)"
    }
}
