/// The drawing of a test pattern.
protocol Pattern: AnyObject {
    /// Draws what does not change; called once.
    func drawBackground(on canvas: PatternCanvas)

    /// Draws what changes, over the background.
    ///
    /// - Parameters:
    ///   - index: The frame's number.
    ///   - seconds: Its time from the start.
    ///   - canvas: The frame, which holds a copy of the background.
    func draw(_ index: Int, at seconds: Double, on canvas: PatternCanvas)
}
