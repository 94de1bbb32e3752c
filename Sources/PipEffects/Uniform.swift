/// A value that a shader reads: a name and one to sixteen numbers.
public struct Uniform: Sendable, Hashable {
    /// The name within its shader, without `PREFIX` for an effect's own.
    public var name: String
    /// The value, with its GLSL type.
    public var value: UniformValue

    /// A uniform from its name and value.
    public init(_ name: String, _ value: UniformValue) {
        self.name = name
        self.value = value
    }

    /// A `float`.
    public static func float(_ name: String, _ value: Float) -> Uniform { Uniform(name, .float(value)) }
    /// A `vec2`.
    public static func vector(_ name: String, _ x: Float, _ y: Float) -> Uniform { Uniform(name, .vector2(x, y)) }
    /// A `vec3`.
    public static func vector(_ name: String, _ x: Float, _ y: Float, _ z: Float) -> Uniform {
        Uniform(name, .vector3(x, y, z))
    }
    /// A `vec4`.
    public static func vector(_ name: String, _ x: Float, _ y: Float, _ z: Float, _ w: Float) -> Uniform {
        Uniform(name, .vector4(x, y, z, w))
    }
}

/// The numbers of a uniform, with their GLSL type.
///
/// Use the functions of ``Uniform`` for the usual ones.
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
    /// A `float`: the share of a filter that shows at the time of the frame.
    case share(ActivePeriod)
}
