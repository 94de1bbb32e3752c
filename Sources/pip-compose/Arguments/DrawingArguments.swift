import ArgumentParser
import PipCompose

/// `--renderer`: what draws.
enum RendererArgument: String, ExpressibleByArgument, CaseIterable {
    case auto, gl, cpu

    var choice: RendererChoice {
        switch self {
        case .auto: .automatic
        case .gl: .gl
        case .cpu: .cpu
        }
    }
}

extension Compositor.Light: @retroactive ExpressibleByArgument {}

/// `--share-buffers`: whether the GPU reads cameras' memory in place.
enum SharingArgument: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    var sharing: BufferSharing {
        switch self {
        case .auto: .automatic
        case .always: .always
        case .never: .never
        }
    }
}
