package import PipCompose
package import PipText

extension OverlayArgument {
    /// A new layer that shows the overlay at its place.
    ///
    /// - Parameter telemetry: The values of a text or a gauge.
    /// - Returns: The layer, for one compositor.
    package func layer(_ telemetry: Telemetry) -> Layer {
        let layer =
            switch content {
            case .text(let text, let style): Layer(TextSource(text, style))
            case .readout(let format, let style): Layer(ReadoutSource(format, of: telemetry, style))
            case .clock(let format, let zone, let style): Layer(ClockSource(format, zone: zone, style))
            case .gauge(let gauge): Layer(GaugeSource(gauge, of: telemetry))
            case .watermark(let path): Layer(PictureSource(overlay: path))
            case .sticker(let path, let rate, let loops):
                Layer(PictureSource(overlay: path, frameRate: rate, ending: loops ? .loops : .holds))
            }
        return layer.placed(placement).styled(by: layout)
    }

    /// The overlay's kind, for reports.
    package var role: String {
        switch content {
        case .text, .readout: "text"
        case .clock: "clock"
        case .gauge: "gauge"
        case .watermark: "watermark"
        case .sticker: "sticker"
        }
    }
}

extension Layer {
    /// Returns the layer with a layout's look, drawing order and blend applied.
    package func styled(by layout: InsetLayout) -> Layer {
        var layer = faded(to: layout.look.opacity).rounded(layout.look.cornerRadius).raised(to: layout.z)
        if let mode = layout.blend { layer = layer.blended(mode) }
        if let border = layout.look.border { layer = layer.bordered(border.width, border.color) }
        if let shadow = layout.look.shadow {
            layer = layer.shadowed(blur: shadow.blur, offset: shadow.offset, opacity: shadow.opacity)
        }
        return layer.sampled(layout.look.sampling)
    }
}
