import PipCompose
import PipText

/// Draws a name, a clock and two pictures over another picture.
func overlays(on back: some FrameProducer) throws -> Compositor {
    let name = TextSource("Cam 1", TextStyle(font: .named("DejaVu Sans"), size: 28, outline: .init(width: 2)))
    let picture = Compositor(canvas: .hd720) {
        Layer(back)
        Layer(name).placed(.bottomLeft, margin: 24)
        Layer(ClockSource("%H:%M:%S")).placed(.top, margin: 24)
        Layer(PictureSource(overlay: "logo.png")).placed(.topLeft, width: 0.12, margin: 24).faded(to: 0.7)
        Layer(PictureSource(overlay: "party.webp")).placed(.right)
    }
    try name.set("Cam 1: parked")
    return picture
}
