/// The operations of ``SphereRefraction`` and ``GlassSphere``.
enum Sphere {
    /// Makes an operation that shows the picture through a sphere.
    ///
    /// The radius is in shares of the picture's shorter side. For an upright picture, the refraction is doubled and
    /// inverted, as in GPUImage.
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
