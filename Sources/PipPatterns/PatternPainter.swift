/// Draws the frames of one pattern.
protocol PatternPainter: AnyObject {
    /// Draws the parts that do not change.
    ///
    /// The reader calls this method once.
    func drawBackground(on canvas: PatternCanvas)

    /// Draws the parts that change over the background.
    ///
    /// - Parameters:
    ///   - index: The frame's index, from 0.
    ///   - seconds: The seconds from the first frame to this frame.
    ///   - canvas: A canvas over the frame, which contains a copy of the background.
    func draw(_ index: Int, at seconds: Double, on canvas: PatternCanvas)
}
