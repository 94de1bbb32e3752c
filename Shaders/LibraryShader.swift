/// The parts of GLSL from which the planner puts passes together.
package enum LibraryShader {
    package static let semiPlanar = ShaderSource("SemiPlanar.glsl", PackageResources.SemiPlanar_glsl)
    package static let planar = ShaderSource("Planar.glsl", PackageResources.Planar_glsl)
    package static let packed422 = ShaderSource("Packed422.glsl", PackageResources.Packed422_glsl)
    package static let gray = ShaderSource("Gray.glsl", PackageResources.Gray_glsl)
    package static let rgb = ShaderSource("Rgb.glsl", PackageResources.Rgb_glsl)
    package static let locate = ShaderSource("Locate.glsl", PackageResources.Locate_glsl)
    package static let area = ShaderSource("Area.glsl", PackageResources.Area_glsl)
    package static let yuvHead = ShaderSource("YuvHead.glsl", PackageResources.YuvHead_glsl)
    package static let rgbHead = ShaderSource("RgbHead.glsl", PackageResources.RgbHead_glsl)
    package static let neighbourhoodHead = ShaderSource(
        "NeighbourhoodHead.glsl", PackageResources.NeighbourhoodHead_glsl)
    package static let samplerHead = ShaderSource("SamplerHead.glsl", PackageResources.SamplerHead_glsl)
    package static let samplerAccess = ShaderSource("SamplerAccess.glsl", PackageResources.SamplerAccess_glsl)
    package static let second = ShaderSource("Second.glsl", PackageResources.Second_glsl)
    package static let kernelHead = ShaderSource("KernelHead.glsl", PackageResources.KernelHead_glsl)
    package static let solidHead = ShaderSource("SolidHead.glsl", PackageResources.SolidHead_glsl)
    package static let headQuad = ShaderSource("HeadQuad.glsl", PackageResources.HeadQuad_glsl)
    package static let curve = ShaderSource("Curve.glsl", PackageResources.Curve_glsl)
    package static let look = ShaderSource("Look.glsl", PackageResources.Look_glsl)
    package static let target = ShaderSource("Target.frag", PackageResources.Target_frag)
}
