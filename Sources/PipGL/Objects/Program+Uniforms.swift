internal import CGL

/// Functions that set uniforms at any time: the program need not be in use. Locations come from
/// ``Program/location(_:)``.
extension Program {
    package func set(_ location: Int32, _ value: Float, on gpu: isolated RenderContext) {
        glProgramUniform1f(name, location, value)
    }

    package func set(_ location: Int32, _ value: SIMD2<Float>, on gpu: isolated RenderContext) {
        glProgramUniform2f(name, location, value.x, value.y)
    }

    package func set(_ location: Int32, _ value: SIMD3<Float>, on gpu: isolated RenderContext) {
        glProgramUniform3f(name, location, value.x, value.y, value.z)
    }

    package func set(_ location: Int32, _ value: SIMD4<Float>, on gpu: isolated RenderContext) {
        glProgramUniform4f(name, location, value.x, value.y, value.z, value.w)
    }

    package func set(_ location: Int32, _ value: Int32, on gpu: isolated RenderContext) {
        glProgramUniform1i(name, location, value)
    }

    package func set(_ location: Int32, _ value: SIMD2<Int32>, on gpu: isolated RenderContext) {
        glProgramUniform2i(name, location, value.x, value.y)
    }

    package func set(_ location: Int32, _ value: SIMD4<Int32>, on gpu: isolated RenderContext) {
        glProgramUniform4i(name, location, value.x, value.y, value.z, value.w)
    }

    /// Sets a uniform array or matrix; the number of `values` must be a multiple of ``UniformShape/floatCount``.
    @unsafe package func set(
        _ location: Int32, _ shape: UniformShape, _ values: UnsafeBufferPointer<Float>, on gpu: isolated RenderContext
    ) {
        let count = GLsizei(values.count / shape.floatCount)
        guard count > 0, let start = values.baseAddress else { return }
        switch shape {
        case .float: unsafe glProgramUniform1fv(name, location, count, start)
        case .vec2: unsafe glProgramUniform2fv(name, location, count, start)
        case .vec3: unsafe glProgramUniform3fv(name, location, count, start)
        case .vec4: unsafe glProgramUniform4fv(name, location, count, start)
        case .mat2: unsafe glProgramUniformMatrix2fv(name, location, count, GLboolean(GL_FALSE), start)
        case .mat3: unsafe glProgramUniformMatrix3fv(name, location, count, GLboolean(GL_FALSE), start)
        case .mat4: unsafe glProgramUniformMatrix4fv(name, location, count, GLboolean(GL_FALSE), start)
        case .mat4x3: unsafe glProgramUniformMatrix4x3fv(name, location, count, GLboolean(GL_FALSE), start)
        }
    }
}

/// The shape of an element of a float uniform.
///
/// Matrices are stored in column-major order; `mat4x3` has four columns of three rows.
package enum UniformShape: Sendable {
    case float, vec2, vec3, vec4, mat2, mat3, mat4, mat4x3

    /// The number of floats in one element.
    package var floatCount: Int {
        switch self {
        case .float: 1
        case .vec2: 2
        case .vec3: 3
        case .vec4, .mat2: 4
        case .mat3: 9
        case .mat4: 16
        case .mat4x3: 12
        }
    }
}
