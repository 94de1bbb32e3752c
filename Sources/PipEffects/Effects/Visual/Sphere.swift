/// The operations of ``SphereRefraction`` and ``GlassSphere``.
enum Sphere {
    /// The picture through a sphere at a position, with a size in shares of the shorter side.
    ///
    /// An upright picture counts the refracted ray twice, like GPUImage.
    static func operation(
        radius: Float, index: Float, center: (x: Float, y: Float), isUpright: Bool, in context: EffectContext
    ) -> EffectOperation {
        let uniforms: [Uniform] = [
            .vector("sphere", radius, index, isUpright ? -2 : 1), .vector("center", center.x, center.y),
            context.sidesUniform,
        ]
        return .sequence([
            .warp(ShaderCall(ShaderSource("Sphere.frag", PackageResources.Sphere_frag), uniforms)),
            .pixel(
                ShaderCall(
                    ShaderSource("SphereEdge.frag", PackageResources.SphereEdge_frag),
                    uniforms + [.float("shine", isUpright ? 1 : 0)])),
        ])
    }
}
