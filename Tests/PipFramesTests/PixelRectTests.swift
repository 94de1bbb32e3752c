import PipFrames
import PipTestSupport
import Testing

@Suite("A pixel rectangle")
struct PixelRectTests {
    private func random(_ dice: inout Dice) -> PixelRect {
        PixelRect(
            x: .random(in: -30...30, using: &dice), y: .random(in: -30...30, using: &dice),
            width: .random(in: 0...30, using: &dice), height: .random(in: 0...30, using: &dice))
    }

    private func contains(_ rect: PixelRect, _ x: Int, _ y: Int) -> Bool {
        x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height
    }

    @Test("the remainder and the subtracted rectangle add up, pixel by pixel", arguments: 0..<200)
    func subtracting(seed: Int) {
        var dice = Dice(seed)
        let (one, other) = (random(&dice), random(&dice))
        let parts = one.subtracting(other)
        #expect(parts.allSatisfy { !$0.isEmpty })
        var mistakes = 0
        for y in -31...61 {
            for x in -31...61 {
                let covering = parts.count { contains($0, x, y) }
                let wanted = contains(one, x, y) && !contains(other, x, y) ? 1 : 0
                if covering != wanted { mistakes += 1 }
                if contains(one.intersection(other), x, y) != (contains(one, x, y) && contains(other, x, y)) {
                    mistakes += 1
                }
            }
        }
        #expect(mistakes == 0)
    }

    @Test("a union holds both rectangles, and is no larger than necessary", arguments: 0..<50)
    func union(seed: Int) {
        var dice = Dice(seed)
        let (one, other) = (random(&dice), random(&dice))
        let both = one.union(other)
        for rect in [one, other] where !rect.isEmpty { #expect(both.contains(rect)) }
        guard !one.isEmpty, !other.isEmpty else { return }
        #expect(both.x == min(one.x, other.x) && both.maxX == max(one.maxX, other.maxX))
        #expect(both.y == min(one.y, other.y) && both.maxY == max(one.maxY, other.maxY))
    }

    @Test(
        "alignment moves edges to multiples, outward by less than a block, inward by less than a block",
        arguments: 0..<100)
    func alignment(seed: Int) {
        var dice = Dice(seed)
        let rect = random(&dice)
        let block = PixelSize([1, 2, 4, 8].randomElement(using: &dice) ?? 1, [1, 2].randomElement(using: &dice) ?? 1)
        let outward = rect.alignedOutward(toWidth: block.width, height: block.height)
        #expect(outward.x.isMultiple(of: block.width) && outward.maxX.isMultiple(of: block.width))
        #expect(outward.y.isMultiple(of: block.height) && outward.maxY.isMultiple(of: block.height))
        #expect(outward.contains(rect))
        #expect(rect.x - outward.x < block.width && outward.maxX - rect.maxX < block.width)
        let inward = rect.alignedInward(toWidth: block.width, height: block.height)
        guard !inward.isEmpty else { return }
        #expect(rect.contains(inward))
        #expect(inward.x.isMultiple(of: block.width) && inward.maxX.isMultiple(of: block.width))
        #expect(inward.x - rect.x < block.width && rect.maxX - inward.maxX < block.width)
        #expect(inward.y - rect.y < block.height && rect.maxY - inward.maxY < block.height)
    }

    @Test("a margin shrinks a rectangle on every side, and a negative margin enlarges it")
    func inset() {
        let rect = PixelRect(x: 10, y: 20, width: 30, height: 40)
        #expect(rect.insetBy(3) == PixelRect(x: 13, y: 23, width: 24, height: 34))
        #expect(rect.insetBy(3).insetBy(-3) == rect)
    }

    @Test("numbers are rounded to multiples on both sides of zero", arguments: -9...9)
    func rounding(number: Int) {
        let down = number.roundedDown(to: 4)
        #expect(down.isMultiple(of: 4) && (0..<4).contains(number - down))
        let up = number.roundedUp(to: 4)
        #expect(up.isMultiple(of: 4) && (0..<4).contains(up - number))
    }

    @Test("a rectangle's text has the form of X11")
    func text() {
        #expect(PixelRect(x: 936, y: -24, width: 320, height: 180).description == "320x180+936+-24")
        #expect(PixelSize(1280, 720).description == "1280x720")
    }
}
