import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Operations that read other pixels", .serialized)
struct OperationTests {
    typealias Pixel = PixelGrid.Pixel

    static let difference = Drawing.call(
        "vec4 EFFECT(vec4 color, vec4 other, vec2 position) { return vec4(color.rgb - other.rgb + 0.5, color.a); }")
    static let box = [0.2, 0.2, 0.2]
    static let half = Drawing.call(
        "vec4 EFFECT(vec4 color, vec2 position) { return vec4(color.rgb * position.x, color.a); }")

    static let readsBeside = Drawing.call(
        """
        vec4 EFFECT(vec2 position)
        {
            return 0.25 * PIXEL(ivec2(-2, 0)) + 0.25 * PIXEL(ivec2(0, 3)) + 0.5 * SAMPLE(position + vec2(0.0, -0.5) * TEXEL);
        }
        """)

    static let cases: [EffectCase] = [
        EffectCase(Drawing(.kernel(box, .across)), within: 1) { $0.weighed(across: box, down: nil) },
        EffectCase(Drawing(.kernel(box, .down)), within: 1) { $0.weighed(across: nil, down: box) },
        EffectCase(Drawing(.sampler(readsBeside))) { grid in
            PixelGrid(grid.size) { x, y in
                let (u, v) = grid.position(x, y)
                return grid.at(x - 2, y) * 0.25 + grid.at(x, y + 3) * 0.25
                    + grid.sample(u, v - 0.5 / Double(grid.size.height)) * 0.5
            }
        },
        EffectCase(Drawing(.sequence([.kernel(box, .across), .none, .sequence([.pixel(half)]), .kernel(box, .down)]))) {
            $0.weighed(across: box, down: nil).mapPositions { c, x, _ in Pixel(c.x * x, c.y * x, c.z * x, c.w) }
                .weighed(across: nil, down: box)
        },
        EffectCase(Drawing(.combine(with: [.separable(box)], difference)), within: 1.5) { grid in
            minus(grid, grid.weighed(across: box, down: box))
        },
        EffectCase(Drawing(.combine(with: [.pixel(half)], difference))) { grid in
            minus(grid, grid.mapPositions { c, x, _ in Pixel(c.x * x, c.y * x, c.z * x, c.w) })
        },
        EffectCase(Drawing(.combine(with: [.mean], difference))) { grid in
            minus(grid, grid.map { _ in grid.mean })
        },
        EffectCase(Drawing(.shrink(4))) { grid in enlarged(grid.shrunk(to: quarter(grid.size)), to: grid.size) },
        EffectCase(Drawing(.combine(with: [.shrink(4)], difference))) { grid in
            minus(grid, enlarged(grid.shrunk(to: quarter(grid.size)), to: grid.size))
        },
        EffectCase(Drawing(.sequence([.shrink(4), .separable(box)])), within: 2) { grid in
            enlarged(grid.shrunk(to: quarter(grid.size)).weighed(across: box, down: box), to: grid.size)
        },
        EffectCase(
            Drawing(
                .combine(
                    with: [.kernel(box, .across)], and: [.combine(with: [.mean], difference)],
                    Drawing.call(
                        "vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position) { return vec4(color.r, other.g, third.b, color.a); }"
                    )))
        ) { grid in
            let across = grid.weighed(across: box, down: nil)
            let third = minus(grid, grid.map { _ in grid.mean })
            return PixelGrid(grid.size) { x, y in
                Pixel(grid.at(x, y).x, across.at(x, y).y, third.at(x, y).z, 1)
            }
        },
    ]

    static func quarter(_ size: PixelSize) -> PixelSize { PixelSize((size.width + 3) / 4, (size.height + 3) / 4) }

    static func minus(_ first: PixelGrid, _ second: PixelGrid) -> PixelGrid {
        PixelGrid(first.size) { x, y in
            let one = first.at(x, y)
            let other = second.at(x, y)
            return Pixel(one.x - other.x + 0.5, one.y - other.y + 0.5, one.z - other.z + 0.5, one.w)
        }
    }

    static func enlarged(_ grid: PixelGrid, to size: PixelSize) -> PixelGrid {
        PixelGrid(size) { x, y in
            grid.sample((Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        }
    }

    @Test("an operation equals its definition", arguments: cases.indices)
    func isRight(index: Int) async throws { try await check(Self.cases[index]) }

    @Test(
        "an operation is the same fused and unfused, within a step", arguments: cases.indices,
        [PixelFormat.rgba, .nv12])
    func fuses(index: Int, target: PixelFormat) async throws {
        #expect(try await fusionDifference(Self.cases[index].effect, to: target) <= 1)
    }

    @Test(
        "an operation is rotated with its picture", arguments: cases.indices, [Orientation(quarterTurns: 1), .flipped])
    func turns(index: Int, orientation: Orientation) async throws {
        let effect = Self.cases[index].effect
        let gpu = try await SharedContext.get()
        let source = TestSource(ConversionTests.bars(.rgbx, PixelSize(24, 16)))
        let upright = AnyProducer(node: source.node).applying(effect)
        let size = orientation.size(of: PixelSize(24, 16))
        let turned = Compositor(canvas: size) { Layer(upright).oriented(orientation) }
        let wanted = PixelGrid(try await rendered(upright, [source], to: .rgba, on: gpu))
        let drawn = try await rendered(turned, [source], to: .rgba, on: gpu)
        let expected = PixelGrid(size) { x, y in
            let (u, v) = orientation.storedPoint(
                x: (Double(x) + 0.5) / Double(size.width), y: (Double(y) + 0.5) / Double(size.height))
            return wanted.at(Int(u * 24), Int(v * 16))
        }
        expect(drawn, expected, within: 1.01, "\(orientation)")
    }

    @Test("a picture that two branches need is drawn once")
    func sharesPicture() async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(64, 48)))
        let blur = EffectOperation.combine(with: [.separable(Self.box)], Self.difference)
        let plan = try planned(
            source --> Drawing(blur), [source], to: SinkRequest(format: .rgba), capabilities: PlanCapabilities())
        // The passes draw the picture, filter it across and down, and mix the results in the last pass.
        #expect(plan.passes.count == 4)
        let mean = EffectOperation.combine(with: [.mean], Self.difference)
        let small = try planned(
            source --> Drawing(mean) --> Contrast(0.9), [source], to: SinkRequest(format: .rgba),
            capabilities: PlanCapabilities())
        // Both branches share the mean of a box. The passes are the picture, two for the mean, one and two for the
        // detail, and the mix.
        let skin = try planned(
            source --> SkinSmoothing(1), [source], to: SinkRequest(format: .rgba), capabilities: PlanCapabilities())
        #expect(skin.passes.count == 7)
        // The passes reduce 64×48 to 8×6 and to 1×1, and mix with the source's planes.
        #expect(small.passes.map(\.pixels) == [48, 1, 64 * 48])
    }

    @Test("translucent pictures are averaged with their alpha as weight")
    func alpha() async throws {
        let gpu = try await SharedContext.get()
        let source = TestSource(ConversionTests.translucent(.rgba, PixelSize(21, 9)))
        let sum = Drawing.call(
            """
            vec4 EFFECT(vec2 position)
            {
                vec4 sum = vec4(0.0);
                for (int i = 0; i < 25; i++)
                    sum += PIXEL(ivec2(i % 5, i / 5) - 2) / 25.0;
                return sum;
            }
            """)
        // Over black, a premultiplied picture keeps its colours.
        let expected = PixelGrid(source.frame).weighed(across: Self.box, down: Self.box)
            .map { Pixel($0.x, $0.y, $0.z, 1) }
        // The operations are drawn repeatedly, because earlier contents of a texture must not show.
        for operation in [EffectOperation.separable(Self.box), .sampler(sum), .separable(Self.box), .sampler(sum)] {
            let drawn = try await rendered(source --> Drawing(operation), [source], to: .rgba, on: gpu)
            expect(drawn, expected, within: 1.5, "\(operation)")
        }
    }
}
