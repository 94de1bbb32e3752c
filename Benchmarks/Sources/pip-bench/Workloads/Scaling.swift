/// A series of growing workloads for pip-compose alone, which shows how the cost grows.
struct Scaling: Sendable {
    struct Point: Sendable {
        /// The label of the point, such as `4` for four sources, or `720p`.
        var label: String
        /// The value on the horizontal axis.
        var x: Double
        var ours: PipCompose
    }

    /// The name of the series, such as `S1`.
    var id: String
    var title: String
    /// The title of the horizontal axis: the unit of `x`.
    var axis: String
    var points: [Point]
}

extension Scaling {
    /// All series, whose picture sizes do not depend on the site's size.
    static func all(_ site: Site) -> [Scaling] { [sources(site), sizes(site), effects(site)] }

    private static func sources(_ site: Site) -> Scaling {
        let site = at(.hd720, site)
        return Scaling(
            id: "S1", title: "1, 2, 4, 8 sources of 1280×720 in a grid", axis: "megapixels read and written",
            points: [1, 2, 4, 8].map { count in
                Point(
                    label: "\(count)", x: Double((count + 1) * site.size.pixels) / 1e6,
                    ours: PipCompose(site: site, sources: count, options: ["--layout", "grid"]))
            })
    }

    private static func sizes(_ site: Site) -> Scaling {
        Scaling(
            id: "S2", title: "W1 from 360p to 2160p", axis: "megapixels read and written",
            points: [360, 540, 720, 1080, 1440, 2160].map { height in
                let site = at(FrameSize(height: height), site)
                return Point(
                    label: site.size.name, x: Double(3 * site.size.pixels) / 1e6, ours: PipCompose(site: site))
            })
    }

    private static func effects(_ site: Site) -> Scaling {
        let site = at(.hd720, site)
        let cycle: [ColorStep] = [.gamma(1.1), .contrast(1.05), .saturation(1.1), .vignette(0.1)]
        return Scaling(
            id: "S3", title: "1 to 12 effects of a pixel on both sources of W1", axis: "effects",
            points: [1, 2, 3, 4, 6, 8, 12].map { count in
                let chain = (0..<count).map { cycle[$0 % cycle.count] }.chain
                return Point(
                    label: "\(count)", x: Double(count),
                    ours: PipCompose(
                        site: site, options: ["--effect", "main:\(chain)", "--effect", "inset:\(chain)"]))
            })
    }

    private static func at(_ size: FrameSize, _ site: Site) -> Site {
        var site = site
        site.inputs = Inputs(folder: site.inputs.folder, size: size)
        return site
    }
}
