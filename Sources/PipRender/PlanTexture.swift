internal import PipFrames
internal import PipGL
internal import PipPlan

/// The memory that holds a plan's texture.
enum PlanTexture {
    /// A texture that the plan retains, alone or with other plans.
    case own(Texture)
    /// The texture of a camera's plane, which changes with each frame's buffer.
    case shared(SharedPlane)
    /// Memory that only the CPU reads and writes.
    case memory

    /// The texture that passes read; nil for memory, and before a shared plane's first frame.
    var texture: Texture? {
        switch self {
        case .own(let texture): texture
        case .shared(let plane): plane.texture
        case .memory: nil
        }
    }
}

/// A camera's plane that passes read in place, or from a copy where the buffer cannot be imported.
final class SharedPlane {
    private let planned: PlannedTexture
    private let imports: ImportedPlanes
    /// The texture that passes read; nil before the first frame.
    private(set) var texture: Texture?
    /// The texture for copies, made when a frame must be copied for the first time.
    private var copy: Texture?

    init(_ planned: PlannedTexture, _ imports: ImportedPlanes) {
        self.planned = planned
        self.imports = imports
    }

    /// True when passes read a camera's memory in place.
    var isImported: Bool { texture !== copy }

    /// Makes passes read a frame's plane from now on.
    ///
    /// `region`: The part of the plane, in texels. `newTexture`: Makes a texture for copies.
    ///
    /// - Returns: The texture into which the caller must copy the plane; nil when passes read the plane in place.
    /// - Throws: ``GLError`` when memory for the copy runs out.
    func take(
        _ frame: Frame, plane: Int, region: PixelRect, on gpu: isolated RenderContext,
        newTexture: (PlannedTexture) throws(GLError) -> Texture
    ) throws(GLError) -> Texture? {
        let format = TextureFormat(planned.format)
        if let imported = imports.texture(for: frame, plane: plane, region: region, format: format, on: gpu) {
            texture = imported
            return nil
        }
        let target: Texture
        if let copy { target = copy } else { target = try newTexture(planned) }
        copy = target
        texture = target
        return target
    }
}
