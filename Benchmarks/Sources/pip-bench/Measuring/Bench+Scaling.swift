extension Bench {
    /// Measures a series of workloads, alternating between all of its points.
    func run(_ scaling: Scaling) throws -> ScalingReport {
        var series = try PixelLayout.measured.map { format in
            let points = try scaling.points.map { point in
                let way: @Sendable (Int) -> Command = { frames in point.ours.command(format, frames: frames) }
                onProgress("\(scaling.id): trying \(point.label) in \(format.rawValue)")
                let rough = try roughCost(way)
                return Prepared(
                    point: point, way: way,
                    lengths: RunLengths(millisecondsPerFrame: rough, seconds: effort.seconds))
            }
            return (format: format, points: points)
        }
        for turn in 1...effort.turns {
            onProgress("\(scaling.id): turn \(turn) of \(effort.turns)")
            for index in series.indices {
                for place in series[index].points.indices {
                    let point = series[index].points[place]
                    series[index].points[place].samples.append(try point.lengths.sample(point.way).cpuMilliseconds)
                }
            }
        }
        return ScalingReport(
            id: scaling.id, title: scaling.title, axis: scaling.axis,
            series: series.map { format, points in
                ScalingReport.Series(
                    name: format.rawValue,
                    points: points.compactMap { prepared in
                        Spread(prepared.samples).map {
                            ScalingReport.Point(
                                label: prepared.point.label, x: prepared.point.x, cpuMilliseconds: $0)
                        }
                    })
            })
    }

    private struct Prepared {
        var point: Scaling.Point
        var way: @Sendable (Int) -> Command
        var lengths: RunLengths
        var samples: [Double] = []
    }
}
