import PipCompose

/// Swaps two layers, then adds a logo, and then removes the logo, each with an animation.
func moveLayers(of picture: Compositor, _ main: LayerHandle, _ inset: LayerHandle, in session: Session) async throws {
    // The inset becomes the main picture.
    try await session.configure(over: .milliseconds(300)) {
        try picture.swap(main, inset)
    }
    // A logo slides in, and the inset goes to another corner.
    let logo = try await session.configure(over: .seconds(1), easing: .easeOut, transition: .slide(.top)) {
        try inset.update { $0.placement.position = .anchor(.bottomLeft) }
        return picture.add(Layer(PictureSource(overlay: "logo.png")).placed(.topLeft, margin: 24))
    }
    // The logo fades out.
    try await session.configure(over: .milliseconds(500)) { try logo.remove() }
}

/// Repeats an animation of an inset: the inset moves from its corner to the middle, stays, and moves back.
func play(_ inset: LayerHandle, from corner: Placement, to middle: Placement) throws {
    try inset.update {
        $0.keyframes = Keyframes(
            [
                Keyframe(at: .zero, placement: corner, opacity: 0),
                Keyframe(at: .seconds(1), placement: middle, opacity: 1, easing: .easeInOut),
                Keyframe(at: .seconds(5), placement: middle),
                Keyframe(at: .seconds(6), placement: corner, opacity: 0, easing: .easeInOut),
            ], loops: true)
    }
}
