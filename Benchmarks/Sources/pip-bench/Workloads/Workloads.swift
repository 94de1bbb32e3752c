/// The workloads that the benchmark compares with other programs.
///
/// To add a workload, add a value here with the commands that an expert would write for each program. Pictures, places
/// and visible results must be the same.
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

    // Pieces that the workloads share.

    var scaled: String { "scale=\(geometry.inset.width):\(geometry.inset.height):flags=bilinear" }
    var placed: String { "overlay=\(geometry.left):\(geometry.margin):format=yuv420:eval=init" }
    var pad: String { "xpos=\(geometry.left) ypos=\(geometry.margin)" }
    var glPad: String { pad + " width=\(geometry.inset.width) height=\(geometry.inset.height)" }
    var videoscale: String {
        "videoscale ! video/x-raw,width=\(geometry.inset.width),height=\(geometry.inset.height) !"
    }
    func both(_ chain: String) -> [String] { ["--effect", "main:\(chain)", "--effect", "inset:\(chain)"] }

    /// A graph of FFmpeg with the same filters on both sources.
    func graph(_ name: String = "", main: String, inset: String) -> FFmpeg.Graph {
        let first = main.isEmpty ? "[0:v]" : "[0:v]\(main)[m];[m]"
        let second = inset.isEmpty ? "[1:v]\(scaled)[s];" : "[1:v]\(scaled),\(inset)[s];"
        return FFmpeg.Graph(name: name, text: second + first + "[s]" + placed)
    }

    /// A variant of GL elements with the same effects on both sources.
    func variant(_ name: String = "", main: [String] = [], inset: [String] = []) -> GStreamerGL.Variant {
        GStreamerGL.Variant(
            name: name,
            branches: [
                GStreamerGL.Branch(effects: main, pad: ""),
                GStreamerGL.Branch(effects: inset, pad: glPad, size: geometry.inset),
            ])
    }

    /// The elements one by one, and all in one shader.
    func variants(_ steps: [ColorStep], elements: [String]) -> [GStreamerGL.Variant] {
        let byHand = [Shaders.fused(steps)]
        return [
            variant("one shader by hand", main: byHand, inset: byHand),
            variant("an element an effect", main: elements, inset: elements),
        ]
    }
}
