internal import CGL
internal import Synchronization

/// The number of GL objects in a context, by kind.
package struct ObjectCounts: Sendable, Equatable {
    package var textures = 0
    package var framebuffers = 0
    package var programs = 0
    package var buffers = 0
    package var fences = 0

    package init() {}

    /// The number of objects of all kinds.
    package var total: Int { textures + framebuffers + programs + buffers + fences }
}

/// The names of GL objects that were released and must be deleted.
///
/// The objects add their names in `deinit`, on any thread. The context deletes the names on the render thread.
package final class DeletionQueue: Sendable {
    /// The kinds of objects whose name is a number.
    enum Kind: Int, CaseIterable {
        case texture, framebuffer, program, buffer
    }

    private struct State {
        var pending = Names()
        var counts = ObjectCounts()
    }

    /// The names that wait for deletion, by kind of object.
    struct Names {
        var textures: [GLuint] = []
        var framebuffers: [GLuint] = []
        var programs: [GLuint] = []
        var buffers: [GLuint] = []
        /// The fences' `GLsync` pointers, as integers.
        var fences: [UInt] = []

        init() {
            // Fences are released every frame; other objects seldom.
            fences.reserveCapacity(64)
            textures.reserveCapacity(16)
            framebuffers.reserveCapacity(16)
        }
    }

    private let state = Mutex(State())
    private let isPending = Atomic(false)

    /// The number of objects that were made and not yet deleted.
    var counts: ObjectCounts { state.withLock { $0.counts } }

    /// True when names wait for deletion.
    ///
    /// Cheap, because every draw reads this property.
    var needsDrain: Bool { isPending.load(ordering: .acquiring) }

    func countCreation(_ kind: Kind) {
        state.withLock { $0.counts[kind] += 1 }
    }

    func countFence() {
        state.withLock { $0.counts.fences += 1 }
    }

    /// Queues a name for deletion.
    ///
    /// Thread: any.
    func append(_ kind: Kind, _ name: GLuint) {
        state.withLock { state in
            switch kind {
            case .texture: state.pending.textures.append(name)
            case .framebuffer: state.pending.framebuffers.append(name)
            case .program: state.pending.programs.append(name)
            case .buffer: state.pending.buffers.append(name)
            }
        }
        isPending.store(true, ordering: .releasing)
    }

    /// Queues a fence for deletion.
    ///
    /// Thread: any.
    func append(fence bits: UInt) {
        state.withLock { $0.pending.fences.append(bits) }
        isPending.store(true, ordering: .releasing)
    }

    /// Deletes the queued names.
    ///
    /// Thread: render thread only.
    ///
    /// - Parameter scratch: Empty lists, which are exchanged with the queue's lists, so that nothing is allocated. They
    ///   are empty again afterwards.
    /// - Returns: True when a deleted object may have been bound.
    func drain(scratch: inout Names) -> Bool {
        isPending.store(false, ordering: .releasing)
        state.withLock { state in
            swap(&state.pending, &scratch)
            state.counts.textures -= scratch.textures.count
            state.counts.framebuffers -= scratch.framebuffers.count
            state.counts.programs -= scratch.programs.count
            state.counts.buffers -= scratch.buffers.count
            state.counts.fences -= scratch.fences.count
        }
        let wasBound = scratch.hasBindableNames
        scratch.delete()
        return wasBound
    }
}

extension DeletionQueue.Names {
    fileprivate var hasBindableNames: Bool {
        !(textures.isEmpty && framebuffers.isEmpty && programs.isEmpty && buffers.isEmpty)
    }

    fileprivate mutating func delete() {
        unsafe glDeleteFramebuffers(GLsizei(framebuffers.count), framebuffers)
        unsafe glDeleteTextures(GLsizei(textures.count), textures)
        unsafe glDeleteBuffers(GLsizei(buffers.count), buffers)
        for program in programs { glDeleteProgram(program) }
        for fence in fences { unsafe glDeleteSync(GLsync(bitPattern: fence)) }
        framebuffers.removeAll(keepingCapacity: true)
        textures.removeAll(keepingCapacity: true)
        buffers.removeAll(keepingCapacity: true)
        programs.removeAll(keepingCapacity: true)
        fences.removeAll(keepingCapacity: true)
    }
}

extension ObjectCounts {
    fileprivate subscript(kind: DeletionQueue.Kind) -> Int {
        get {
            switch kind {
            case .texture: textures
            case .framebuffer: framebuffers
            case .program: programs
            case .buffer: buffers
            }
        }
        set {
            switch kind {
            case .texture: textures = newValue
            case .framebuffer: framebuffers = newValue
            case .program: programs = newValue
            case .buffer: buffers = newValue
            }
        }
    }
}
