/// Crops the picture, which takes the size of the crop.
///
/// Source: GPUImage, `GPUImageCropFilter`: a region in shares of the picture, from its upper left corner.
public struct Crop: Effect {
    public static let name = "crop"
    public static let summary = "keeps a part of the picture"
    public static let example: String? = "0.25:0.25:0.5:0.5"
    public static var parameters: [EffectParameter<Crop>] {
        [
            EffectParameter("x", \.x, in: 0...1, neutral: 0, "the left edge, in picture widths"),
            EffectParameter("y", \.y, in: 0...1, neutral: 0, "the upper edge, in picture heights"),
            EffectParameter("width", \.width, in: 0.001...1, neutral: 1, "the width, in picture widths"),
            EffectParameter("height", \.height, in: 0.001...1, neutral: 1, "the height, in picture heights"),
        ]
    }

    /// The left edge of the crop, as a share of the picture's width.
    public var x: Float = 0
    /// The upper edge of the crop, as a share of the picture's height.
    public var y: Float = 0
    /// The width of the crop, as a share of the picture's width.
    ///
    /// The picture's right edge limits the crop.
    public var width: Float = 1
    /// The height of the crop, as a share of the picture's height.
    ///
    /// The picture's lower edge limits the crop.
    public var height: Float = 1

    public init() {}
    public init(x: Float, y: Float, width: Float, height: Float) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public func operation(in context: EffectContext) -> EffectOperation {
        let (right, bottom) = (min(x + width, 1), min(y + height, 1))
        if x <= 0 && y <= 0 && right >= 1 && bottom >= 1 { return .none }
        return .crop(
            x: Double(x), y: Double(y), width: Double(max(right - x, 0)), height: Double(max(bottom - y, 0)))
    }
}
