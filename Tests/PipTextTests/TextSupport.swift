import PipCompose
import PipConcurrency
import Testing

@testable import PipText

extension Font {
    /// The font that `make test-setup` installs.
    static let test = Font.named("DejaVu Sans")
}

extension TextStyle {
    /// A style with white letters, without outline and background.
    static func plain(_ size: Int = 32, alignment: Alignment = .left) -> TextStyle {
        TextStyle(font: .test, size: size, alignment: alignment)
    }
}

/// The warnings and errors that texts have reported.
final class Told: Sendable {
    private let told = Monitor<[String]>([])

    var sentences: [String] { told.read { $0 } }

    var reports: LivePictureSpecification.Reports {
        LivePictureSpecification.Reports(
            warn: { [told] sentence in told.update { $0.append(sentence) } },
            fail: { [told] error in told.update { $0.append(error.description) } })
    }
}

/// The first frame of a text's picture.
func picture(
    _ text: String, _ style: TextStyle = .plain(), reserving: String = "", _ told: Told = Told()
) throws -> Frame {
    let picture = TextPicture(text, style, reserved: reserving)
    try picture.open(told.reports)
    return try #require(picture.frame(at: .zero, waitingUntil: nil).frame)
}

extension Frame {
    /// The red, green, blue and alpha of a pixel.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        withPlane(0) { span, plane in
            (0..<4).map { unsafe span.unsafeLoad(fromByteOffset: y * plane.strideInBytes + 4 * x + $0, as: UInt8.self) }
        }
    }

    /// The alpha of all pixels, row by row.
    var alpha: [[UInt8]] { (0..<size.height).map { y in (0..<size.width).map { pixel($0, y)[3] } } }

    /// The range of columns that are not fully transparent; nil if there are none.
    var inkColumns: ClosedRange<Int>? {
        let alpha = alpha
        let columns = (0..<size.width).filter { x in alpha.contains { $0[x] > 0 } }
        guard let first = columns.first, let last = columns.last else { return nil }
        return first...last
    }
}
