import PipCompose
import PipPatterns

/// The README's first example, word for word.
func readmeExample() async throws {
    let back = PatternSource(.scene)  // or CameraSource("/dev/video0")
    let front = PatternSource(.scene, seed: 1)  // or CameraSource("/dev/video2")

    let picture = Compositor(canvas: .hd720) {
        Layer(back --> Vignette(strength: 0.4))
        Layer(front --> Mirror()).placed(.topRight, width: 0.25, margin: 24).rounded(16).bordered(2, .white).shadowed()
    }
    picture --> Y4MFile("out.y4m")

    try await Session(picture).run(for: .seconds(2))
}
