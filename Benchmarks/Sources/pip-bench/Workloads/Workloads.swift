/// The workloads in which the benchmark compares pip-compose with other programs.
///
/// To add a workload, add a property in an extension, with the commands that an expert would write for each program,
/// and list the property in ``all``. All programs must draw the same pictures at the same positions, with visibly the
/// same result.
struct Workloads {
    let site: Site
    let geometry: Geometry

    init(site: Site) {
        self.site = site
        geometry = Geometry(size: site.size)
    }

    var all: [Workload] {
        [plain, packed, affine, sepia, grade, neighbourhood, look, general, grid]
            + [areas, blended, warped, cameras, recorded]
    }

    // Parts of commands that several workloads share.

    var scaled: String { "scale=\(geometry.inset.width):\(geometry.inset.height):flags=bilinear" }
    var placed: String { "overlay=\(geometry.left):\(geometry.margin):format=yuv420:eval=init" }
    var pad: String { "xpos=\(geometry.left) ypos=\(geometry.margin)" }
    var glPad: String { pad + " width=\(geometry.inset.width) height=\(geometry.inset.height)" }
    var videoscale: String {
        "videoscale ! video/x-raw,width=\(geometry.inset.width),height=\(geometry.inset.height) !"
    }
    func both(_ chain: String) -> [String] { ["--effect", "main:\(chain)", "--effect", "inset:\(chain)"] }

    /// An FFmpeg filter graph that applies filters to each source and overlays the inset.
    func graph(_ name: String = "", main: String, inset: String) -> FFmpeg.Graph {
        let first = main.isEmpty ? "[0:v]" : "[0:v]\(main)[m];[m]"
        let second = inset.isEmpty ? "[1:v]\(scaled)[s];" : "[1:v]\(scaled),\(inset)[s];"
        return FFmpeg.Graph(name: name, text: second + first + "[s]" + placed)
    }

    /// A variant of GL elements that applies effects to each source.
    func variant(_ name: String = "", main: [String] = [], inset: [String] = []) -> GStreamerGL.Variant {
        GStreamerGL.Variant(
            name: name,
            branches: [
                GStreamerGL.Branch(effects: main, pad: ""),
                GStreamerGL.Branch(effects: inset, pad: glPad, size: geometry.inset),
            ])
    }

    /// Two variants of the same look: one shader for all steps, and the given elements.
    func variants(_ steps: [ColorStep], elements: [String]) -> [GStreamerGL.Variant] {
        let byHand = [Shaders.fused(steps)]
        return [
            variant("one shader by hand", main: byHand, inset: byHand),
            variant("an element an effect", main: elements, inset: elements),
        ]
    }
}
