/// Draws the pictures of one pattern.
protocol PatternPainter: AnyObject {
    /// Draws the parts that do not change. Called once.
    func drawBackground(on canvas: PatternCanvas)

    /// Draws the parts that change, over the background.
    ///
    /// - Parameters:
    ///   - index: The frame's number.
    ///   - seconds: The frame's time from the start.
    ///   - canvas: The frame, which holds a copy of the background.
    func draw(_ index: Int, at seconds: Double, on canvas: PatternCanvas)
}
