package import PipCompose

/// `--still [TARGET:]PATH`: a still picture that the program takes on SIGUSR2.
package struct StillArgument: Sendable, Equatable {
    /// The picture whose source is photographed; nil or `output` for the composed picture.
    package let picture: PictureTarget?
    package let path: String
    /// The text that the user typed.
    package let written: String
    package let format: Still.Format
    /// True to switch the camera to its largest size while the picture is taken.
    package let isLargest: Bool
    /// Says when the camera's light fires for the still; `off` without the option `flash`.
    package let flash: CameraFlash

    static let options = ["quality", "size", "flash"]

    package init(_ whole: String) throws(UsageError) {
        written = whole
        let text: String
        (picture, text) = PictureTarget.leading(whole)
        let query = try OptionQuery(text)
        path = query.name
        guard !path.isEmpty, !path.hasPrefix("--") else { throw UsageError("a file's name is missing: write a.jpg") }
        let ending = path.split(separator: "/").last?.split(separator: ".").last.map { $0.lowercased() } ?? ""
        switch ending {
        case "jpg", "jpeg":
            try query.allow("quality", "size", "flash", for: "a JPEG still")
            format = try query.number("quality", in: 1...100).map { .jpeg(quality: $0) } ?? .jpeg
        case "png":
            try query.allow("size", "flash", for: "a PNG still")
            format = .png
        default: throw UsageError("\(path): a still is a .jpg or .png file, such as still-%H%M%S.jpg")
        }
        isLargest =
            try query.read("size") { value throws(UsageError) in
                guard value == "largest" else {
                    throw UsageError(
                        "size is \(value), but a still of a camera takes size=largest only")
                }
                return true
            } ?? false
        flash = try query.choice("flash") ?? .off
        if let cameraOption, picture == nil || picture == .output {
            throw UsageError(
                "\(path): \(cameraOption) is for one camera's own picture: write main:\(path)?\(cameraOption), or the "
                    + "key of in a configuration")
        }
        do throws(SessionError) { try Still.check(path) } catch { throw UsageError(error.description) }
    }

    /// The given option that only cameras support, such as `size=largest`; nil when no such option is given.
    package var cameraOption: String? {
        isLargest ? "size=largest" : flash == .off ? nil : "flash=\(flash.rawValue)"
    }
}
