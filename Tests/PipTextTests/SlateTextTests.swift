import PipCompose
import Testing

@testable import PipText

@Suite("The text of a slate")
struct SlateTextTests {
    @Test(
        "a slate's text fits on it, whatever the slate's shape and the camera's name",
        arguments: [PixelSize(1280, 720), PixelSize(160, 120), PixelSize(120, 320)])
    func fits(_ size: PixelSize) throws {
        let text = SlateText(font: .test, zone: .utc)
        for name in ["/dev/video2", "camera:usb-0000:00:14.0-2, a camera with a long name"] {
            let notice = SlateNotice(name: name, trouble: "in use by another program", since: 1_000_000_000)
            let words = try text.picture(notice, on: size)
            #expect(words.size.height <= size.height / 2)
            // The text may be cut off on small slates, because letters have at least four pixels.
            if size.width > 200 { #expect(words.size.width <= size.width) }
            #expect(try #require(words.inkColumns).count > words.size.width / 2)
        }
    }

    @Test("a missing font is an error with the font's name")
    func missingFont() {
        let notice = SlateNotice(name: "a", trouble: "b", since: 0)
        let error = #expect(throws: SourceError.self) {
            try SlateText(font: .named("No Such Font"), zone: .utc).picture(notice, on: .hd720)
        }
        #expect(error?.kind == .notFound)
    }
}
