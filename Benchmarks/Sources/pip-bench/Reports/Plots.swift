/// Draws the plots of a report.
enum Plots {
    private static let ours = "#1b6ac9"
    private static let second = "#7fb2f0"
    private static let others = "#b8bec9"
    private static let faint = "#d9dde3"
    private static let grey = "#5c6470"

    /// Draws the CPU milliseconds of a frame as bars: a group for each workload, a bar for each program.
    ///
    /// Each group has its own scale.
    static func bars(_ workloads: [WorkloadReport], title: String) -> String {
        let (row, head, label, width) = (20.0, 44.0, 210.0, 820.0)
        let blocks = workloads.filter { !$0.results.isEmpty }
        let rows = blocks.reduce(0) { $0 + $1.results.count }
        var picture = SVG(width: width, height: 44 + Double(blocks.count) * head + Double(rows) * row + 16)
        picture.text(title, x: 16, y: 28, isBold: true)
        var y = 44.0
        for block in blocks {
            y += head
            picture.text("\(block.id)", x: 16, y: y - 14, isBold: true)
            picture.text(block.title, x: 56, y: y - 14, fill: grey)
            let most = block.results.map(\.cpuMilliseconds.median).max() ?? 1
            for result in block.results {
                let value = result.cpuMilliseconds.median
                let length = max((width - label - 90) * value / max(most, 1e-9), 1)
                picture.text(result.name, x: label - 8, y: y + 13, anchor: .end)
                picture.rectangle(x: label, y: y + 3, width: length, height: row - 6, fill: color(of: result))
                let lacks = result.lacks.map { " without \($0)" } ?? ""
                picture.text(Format.number(value) + lacks, x: label + length + 6, y: y + 13, fill: grey)
                y += row
            }
        }
        return picture.document
    }

    /// Plots the CPU milliseconds of a frame as a function of `x`, with a straight line fitted to each series.
    static func lines(_ report: ScalingReport) -> String {
        var picture = SVG(width: 640, height: 360)
        let points = report.series.flatMap(\.points)
        let most = (x: points.map(\.x).max() ?? 1, y: (points.map(\.cpuMilliseconds.median).max() ?? 1) * 1.1)
        func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            (64 + x / most.x * 548, 312 - y / most.y * 244)
        }
        picture.text(report.title, x: 16, y: 28, isBold: true)
        picture.text("CPU ms a frame", x: 16, y: 52, fill: grey)
        for step in Format.ticks(most.y) {
            picture.line(place(0, step), place(most.x, step), stroke: faint)
            picture.text(Format.number(step), x: 58, y: place(0, step).y + 4, anchor: .end, fill: grey)
        }
        var end = 0.0
        for point in report.series.first?.points ?? [] {
            let x = place(point.x, 0).x
            // Skips a label that would overlap the previous label.
            guard x - end > 4 * Double(point.label.count) + 4 else { continue }
            picture.text(point.label, x: x, y: 330, anchor: .middle, fill: grey)
            end = x + 4 * Double(point.label.count)
        }
        picture.text(report.axis, x: 612, y: 350, anchor: .end, fill: grey)
        for (index, series) in report.series.enumerated() {
            let color = index == 0 ? ours : second
            if let line = series.line, let first = series.points.first?.x, let last = series.points.last?.x {
                picture.line(
                    place(first, line.value(at: first)), place(last, line.value(at: last)), stroke: color, dashes: true)
            }
            for point in series.points {
                let center = place(point.x, point.cpuMilliseconds.median)
                picture.circle(x: center.x, y: center.y, radius: 4, fill: color)
            }
            picture.circle(x: 500 + Double(index) * 60, y: 24, radius: 4, fill: color)
            picture.text(series.name, x: 510 + Double(index) * 60, y: 28)
        }
        return picture.document
    }

    private static func color(of result: Result) -> String {
        switch result.name {
        case Name.oursNV12: ours
        case Name.oursI420: second
        default: others
        }
    }
}
