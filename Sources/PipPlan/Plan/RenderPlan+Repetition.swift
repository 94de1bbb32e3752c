internal import PipEffects
package import PipFrames

extension RenderPlan {
    /// The sources whose new frames make each step run again.
    ///
    /// While these sources deliver no new frame, the textures still hold the result, and the step need not run. Nil for
    /// a step that runs at every frame, because a result depends on time or on earlier frames.
    package var stepSources: [Set<NodeID>?] {
        var groups = groups
        for (index, texture) in textures.enumerated() where texture.history != nil {
            groups.markChangingEveryFrame(index)
        }
        for step in steps where step.changesEveryFrame {
            for target in step.targets { groups.markChangingEveryFrame(target) }
        }
        var hasGrown = true
        while hasGrown {
            hasGrown = false
            for step in steps {
                guard let target = step.targets.first else { continue }
                if groups.add(step.sources, inputs: step.inputs, to: target) { hasGrown = true }
            }
        }
        return steps.map { step in step.result.flatMap { groups.sources(of: $0) } }
    }

    /// The indices of the outputs that show each step's result.
    ///
    /// A step need not run for a frame that none of these outputs takes. Nil for a step that runs for every frame,
    /// because a filter's result for the next frame depends on the step.
    package var stepOutputs: [Set<Int>?] {
        let groups = groups
        var readers: [Int: Set<Int>] = [:]
        var remembered: Set<Int> = []
        for (index, output) in outputs.enumerated() {
            for texture in output.textures { readers[groups.root(texture), default: []].insert(index) }
        }
        for step in steps where step.remembers { for target in step.targets { remembered.insert(groups.root(target)) } }
        var hasGrown = true
        while hasGrown {
            hasGrown = false
            for step in steps.reversed() {
                guard let target = step.targets.first.map({ groups.root($0) }) else { continue }
                for input in step.inputs.map({ groups.root($0) }) {
                    let outputs = readers[input] ?? []
                    if let reached = readers[target], !reached.isSubset(of: outputs) {
                        readers[input] = outputs.union(reached)
                        hasGrown = true
                    }
                    if remembered.contains(target) && remembered.insert(input).inserted { hasGrown = true }
                }
            }
        }
        return steps.map { step in
            guard let target = step.result.map({ groups.root($0) }), !remembered.contains(target) else {
                return nil
            }
            return readers[target] ?? []
        }
    }

    /// The groups of textures whose steps must run together.
    private var groups: TextureGroups {
        var groups = TextureGroups(count: textures.count)
        var readers: [TextureIndex: [TextureIndex]] = [:]
        for step in steps {
            // A step that overwrites a texture would spoil the next frame for a step that read it before, so both run
            // together.
            for target in step.targets {
                for reader in readers[target] ?? [] { groups.join(reader, target) }
                groups.join(target, step.targets[0])
            }
            for input in step.inputs { readers[input, default: []] += step.targets }
        }
        return groups
    }

    /// True, for each step, when the step runs only when a still picture changes, and not at every frame.
    package var isStepStill: [Bool] {
        stills.isEmpty
            ? Array(repeating: false, count: steps.count)
            : stepSources.map { $0.map { !$0.isEmpty && $0.isSubset(of: stills) } ?? false }
    }
}

/// Groups of textures that are filled together (a union-find structure), with the sources whose frames fill them.
private struct TextureGroups {
    private var parents: [Int]
    private var found: [Set<NodeID>]
    private var changesEveryFrame: [Bool]

    init(count: Int) {
        parents = Array(0..<count)
        found = Array(repeating: [], count: count)
        changesEveryFrame = Array(repeating: false, count: count)
    }

    /// The texture that represents the group of a texture.
    func root(_ texture: Int) -> Int {
        var current = texture
        while parents[current] != current { current = parents[current] }
        return current
    }

    mutating func join(_ one: Int, _ other: Int) {
        let (first, second) = (root(one), root(other))
        if first == second { return }
        parents[second] = first
        found[first].formUnion(found[second])
        if changesEveryFrame[second] { changesEveryFrame[first] = true }
    }

    mutating func markChangingEveryFrame(_ texture: Int) { changesEveryFrame[root(texture)] = true }

    /// The sources whose frames fill a texture's group; nil for a group that is filled at every frame.
    func sources(of texture: Int) -> Set<NodeID>? { changesEveryFrame[root(texture)] ? nil : found[root(texture)] }

    /// Adds sources, and the sources of the inputs, to a texture's group.
    ///
    /// - Returns: True when the group has changed.
    mutating func add(_ sources: [NodeID], inputs: [Int], to texture: Int) -> Bool {
        let root = root(texture)
        let before = (found[root].count, changesEveryFrame[root])
        found[root].formUnion(sources)
        for input in inputs {
            if let others = self.sources(of: input) {
                found[root].formUnion(others)
            } else {
                changesEveryFrame[root] = true
            }
        }
        return before != (found[root].count, changesEveryFrame[root])
    }
}

extension PlannedOutput {
    /// The textures that the output reads.
    fileprivate var textures: [RenderPlan.TextureIndex] {
        readbacks.map(\.texture) + (draws?.steps.flatMap(\.inputs) ?? [])
    }
}

extension RenderPlan.Step {
    /// The first texture that the step fills, or the texture that the step transfers.
    var result: RenderPlan.TextureIndex? {
        if case .transfer(let transfer) = self { transfer.texture } else { targets.first }
    }

    /// The textures that the step writes.
    var targets: [RenderPlan.TextureIndex] {
        switch self {
        case .upload(let upload): [upload.texture]
        case .clear(let clear): [clear.texture]
        case .draw(let pass): pass.targets
        case .rows(let pass): pass.targets
        case .tabulate(let pass): [pass.target]
        case .keep(let keep): [keep.history]
        // A transfer leaves the texture's contents unchanged.
        case .transfer: []
        }
    }

    /// The textures that the step reads, apart from its targets.
    fileprivate var inputs: [RenderPlan.TextureIndex] {
        switch self {
        case .upload, .clear, .transfer: []
        case .draw(let pass): pass.inputs.map(\.texture).filter { !pass.targets.contains($0) }
        case .rows(let pass): pass.inputs
        case .tabulate(let pass): pass.inputs
        case .keep(let keep): [keep.texture]
        }
    }

    fileprivate var sources: [NodeID] {
        switch self {
        case .upload(let upload): [upload.source]
        case .clear: []
        case .draw(let pass): pass.sources
        case .rows(let pass): pass.sources
        case .tabulate(let pass): pass.picture.sources
        case .keep(let keep): keep.sources
        case .transfer(let transfer): transfer.sources
        }
    }

    /// True when the result changes at every frame, even while the sources' frames stay the same.
    fileprivate var changesEveryFrame: Bool {
        switch self {
        case .upload, .clear, .tabulate, .transfer: false
        case .draw(let pass):
            pass.history != nil || pass.uniforms.contains { if case .share = $0.value { true } else { false } }
        case .rows(let pass): pass.changesEveryFrame
        case .keep: true
        }
    }

    /// True when a later frame reads the result.
    fileprivate var remembers: Bool {
        switch self {
        case .upload, .clear, .tabulate, .transfer: false
        case .draw(let pass): pass.history != nil
        case .rows(let pass): pass.readsHistory
        case .keep: true
        }
    }
}
