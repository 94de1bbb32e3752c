import PipFrames
import PipGraph
import PipPixels
import Testing

@Suite("The rectangle of a picture in a window or screen")
struct PicturePlaceTests {
    /// Sizes of pictures and areas: wide and narrow, equal, odd, and one pixel apart.
    private static let pairs: [(PixelSize, PixelSize)] = [
        (PixelSize(1280, 720), PixelSize(1024, 768)), (PixelSize(1280, 720), PixelSize(1920, 1080)),
        (PixelSize(1280, 720), PixelSize(1281, 720)), (PixelSize(1280, 720), PixelSize(1280, 721)),
        (PixelSize(720, 1280), PixelSize(1920, 1080)), (PixelSize(640, 480), PixelSize(1920, 1080)),
        (PixelSize(3, 5), PixelSize(1000, 10)), (PixelSize(5, 3), PixelSize(10, 1000)),
        (PixelSize(3840, 2160), PixelSize(320, 240)), (PixelSize(100, 100), PixelSize(1, 1)),
        (PixelSize(1, 1), PixelSize(101, 67)), (PixelSize(4000, 1), PixelSize(10, 10)),
    ]

    @Test("with fit, a picture keeps its aspect ratio, touches two edges, and is centred", arguments: pairs)
    func fit(_ picture: PixelSize, _ area: PixelSize) {
        let place = PicturePlace(of: picture, on: area, .fit)
        let scale = min(Double(area.width) / Double(picture.width), Double(area.height) / Double(picture.height))
        #expect(place.source == picture.bounds && area.bounds.contains(place.target))
        #expect(abs(Double(place.target.width) - max(1, Double(picture.width) * scale)) <= 0.5)
        #expect(abs(Double(place.target.height) - max(1, Double(picture.height) * scale)) <= 0.5)
        #expect(place.target.width == area.width || place.target.height == area.height)
        #expect((0...1).contains(area.width - place.target.maxX - place.target.x))
        #expect((0...1).contains(area.height - place.target.maxY - place.target.y))
    }

    @Test("with fill, a picture covers the area, and is cropped equally at both ends", arguments: pairs)
    func fill(_ picture: PixelSize, _ area: PixelSize) {
        let place = PicturePlace(of: picture, on: area, .fill)
        let scale = max(Double(area.width) / Double(picture.width), Double(area.height) / Double(picture.height))
        #expect(place.target == area.bounds && picture.bounds.contains(place.source))
        #expect(abs(Double(place.source.width) - max(1, Double(area.width) / scale)) <= 0.5)
        #expect(abs(Double(place.source.height) - max(1, Double(area.height) / scale)) <= 0.5)
        #expect((0...1).contains(picture.width - place.source.maxX - place.source.x))
        #expect((0...1).contains(picture.height - place.source.maxY - place.source.y))
    }

    @Test("with stretch, a picture takes the whole area", arguments: pairs)
    func stretch(_ picture: PixelSize, _ area: PixelSize) {
        let place = PicturePlace(of: picture, on: area, .stretch)
        #expect(place.source == picture.bounds && place.target == area.bounds)
    }
}
