internal import PipPixels

extension SinkOpening {
    /// Creates the opening of a sink that shows frames on a display.
    ///
    /// - Parameters:
    ///   - label: The output's name.
    ///   - turns: The rotation of frames; mirroring is refused.
    ///   - fit: The fit of frames into the display.
    ///   - open: Opens the display for frames of a given size, at first and again after the display was lost.
    /// - Returns: The sink's opening.
    static func display(
        _ label: String, _ turns: Orientation, _ fit: FitMode, _ open: @escaping DisplayRunner.Opening
    ) -> SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in
                guard !turns.isMirrored else {
                    throw SinkError(
                        label, "open", .invalidOptions, "a display cannot mirror the picture: use a mirror effect")
                }
                return SinkRequest(format: .rgba)
            },
            heldFrames: DisplayRunner.heldFrames,
            open: { context throws(SinkError) in
                try DisplayRunner(
                    DisplayRunner.Output(
                        label, isPaced: context.policy == .block, onEvent: context.onEvent, onError: context.onError),
                    context.info.layout.size, PicturePainter(turns: turns, fit: fit), clock: context.clock, open: open)
            })
    }
}

extension DisplayRunner: FrameReceiver {
    package func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        submit(frame, until: deadline)
    }
}
