/// A value that a shader reads: its name, and its numbers with their GLSL type.
public struct Uniform: Sendable, Hashable {
    /// The name in the GLSL source; for an effect's own uniforms, without `PREFIX`.
    public var name: String
    /// The value, with its GLSL type.
    public var value: UniformValue

    /// Creates a uniform from its name and value.
    public init(_ name: String, _ value: UniformValue) {
        self.name = name
        self.value = value
    }

    /// Creates a uniform of the type `float`.
    public static func float(_ name: String, _ value: Float) -> Uniform { Uniform(name, .float(value)) }
    /// Creates a uniform of the type `vec2`.
    public static func vector(_ name: String, _ x: Float, _ y: Float) -> Uniform { Uniform(name, .vector2(x, y)) }
    /// Creates a uniform of the type `vec3`.
    public static func vector(_ name: String, _ x: Float, _ y: Float, _ z: Float) -> Uniform {
        Uniform(name, .vector3(x, y, z))
    }
    /// Creates a uniform of the type `vec4`.
    public static func vector(_ name: String, _ x: Float, _ y: Float, _ z: Float, _ w: Float) -> Uniform {
        Uniform(name, .vector4(x, y, z, w))
    }
}

/// The numbers of a uniform, with their GLSL type.
///
/// ``Uniform`` has functions that create the usual types.
public enum UniformValue: Sendable, Hashable {
    case float(Float)
    case vector2(Float, Float)
    case vector3(Float, Float, Float)
    case vector4(Float, Float, Float, Float)
    case integers2(Int32, Int32)
    case integers4(Int32, Int32, Int32, Int32)
    /// A `mat3`, column by column.
    case matrix3([Float])
    /// A `float name[n]`.
    case floats([Float])
    /// A `mat4 name[n]`, each matrix column by column.
    case matrices4([Float])
    /// A `vec3 name[n]`, with three numbers for each element.
    case vectors3([Float])
    /// A `vec4 name[n]`, with four numbers for each element.
    case vectors4([Float])
    /// A `float` that the renderer sets for each frame: the opacity of the filter in its active period.
    case share(ActivePeriod)
}
