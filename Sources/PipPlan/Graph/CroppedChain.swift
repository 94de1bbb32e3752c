internal import PipEffects
internal import PipFrames
internal import PipGraph

extension UnitRect {
    /// The part of the picture that a crop shows; nil if the link is not a crop.
    init?(croppedBy link: ChainLink) {
        guard case .cropped(let x, let y, let width, let height) = link.traits.framing else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }

    /// This part of a rectangle, rounded to whole samples, at least one sample wide and high.
    func part(of rect: PixelRect) -> PixelRect {
        func edges(_ origin: Int, _ length: Int, _ low: Double, _ part: Double) -> (Int, Int) {
            let first = min(Int((low * Double(length)).rounded()), length - 1)
            let end = max(Int(((low + part) * Double(length)).rounded()), first + 1)
            return (origin + max(first, 0), min(end, length) - max(first, 0))
        }
        let (left, across) = edges(rect.x, rect.width, x, width)
        let (top, down) = edges(rect.y, rect.height, y, height)
        return PixelRect(x: left, y: top, width: across, height: down)
    }
}

/// A layer's chain, divided into its crops and the links after the last crop.
struct CroppedChain {
    /// The node whose picture is drawn and then cropped; nil without a crop, and when nothing but crops precedes the
    /// last crop.
    var picture: NodeID?
    /// The last crop, which crops ``picture``.
    ///
    /// All crops of the chain's start, in order, where ``picture`` is nil.
    var crops: [UnitRect]
    /// The links after the last crop; all links without a crop.
    var links: [ChainLink]

    init(_ links: [ChainLink]) {
        let crops = links.map { UnitRect(croppedBy: $0) }
        guard let last = crops.lastIndex(where: { $0 != nil }) else {
            (self.crops, self.links) = ([], links)
            return
        }
        let areLeading = crops[...last].allSatisfy { $0 != nil }
        picture = areLeading ? nil : links[last - 1].node
        self.crops = areLeading ? crops[...last].compactMap(\.self) : crops[last].map { [$0] } ?? []
        self.links = Array(links[(last + 1)...])
    }
}
