#if Control
internal import PipCompose
internal import PipRig

/// The objects that endpoints share.
struct PanelContext: Sendable {
    let live: LiveRig
    let watch: StateWatch
    let access: Access
    let options: PanelOptions
    let previews: Previews
    /// Reads the configuration file again; nil for a composition without a configuration file.
    let reload: (@Sendable () async throws -> Void)?
    let program: String
    #if Media
    /// The recordings that clients may find and play; nil for none.
    var archive: PanelArchive?
    #endif

    /// Changes the composition.
    ///
    /// - Parameters:
    ///   - request: The request. The change fails if the header `If-Match` names another revision than the present one.
    ///   - motion: The animation of the layers to their new places; nil moves them at once.
    ///   - edit: Edits the composition's value.
    /// - Returns: The result of `edit`.
    /// - Throws: ``Problem`` with 412 for another revision or an invalid `If-Match`, or the error with which the
    ///   composition refuses the change.
    @discardableResult
    func change<R: Sendable>(
        _ request: PanelRequest, by motion: LiveRig.Motion? = nil,
        _ edit: @escaping @Sendable (inout Rig) throws -> R
    ) async throws -> R {
        let expected = try revision(request)
        do {
            let result = try await live.change(expecting: expected, by: motion, edit)
            await watch.update()
            return result
        } catch let error as RigError
            where expected != nil && error.kind == .conflict && live.snapshot.revision != expected
        {
            throw Problem(412, error.description)
        }
    }

    /// The revision in the header `If-Match`: the part of the `ETag` before the dot.
    ///
    /// Nil without the header, and for `*`.
    private func revision(_ request: PanelRequest) throws(Problem) -> Int? {
        guard let tag = request.headers["if-match"], tag != "*" else { return nil }
        let digits = tag.drop { $0 == "\"" }.prefix { $0.isNumber }
        guard let revision = Int(digits) else {
            throw Problem(412, "If-Match is \(tag), but must be the ETag of a state")
        }
        return revision
    }

    /// The present state of the composition as a document.
    var document: StateDocument { StateDocument(live, watch.presentFacts) }

    /// The folder in which clients may create files.
    ///
    /// - Throws: ``Problem`` with 403 if the panel has no such folder.
    var folder: PanelFolder {
        get throws(Problem) {
            guard let root = options.root else {
                throw Problem(
                    403, "the panel may not make files: it needs a folder (--panel-root DIR, or the panel's key root)")
            }
            return PanelFolder(root)
        }
    }
}

extension Problem {
    /// Translates any error of the library into a problem with the matching HTTP status.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as RigError:
            switch error.kind {
            case .unknown: self.init(404, error.description)
            case .invalid: self.init(422, error.description)
            case .conflict: self.init(409, error.description)
            case .unavailable: self.init(503, error.description)
            }
        case is UsageError, is EffectError, is GraphError, is ConfigurationError: self.init(422, "\(error)")
        case let error as SessionError:
            switch error {
            case .graph, .effect: self.init(422, error.description)
            case .camera, .source, .sink: self.init(409, error.description)
            default: self.init(503, error.description)
            }
        default: self.init(503, "\(error)")
        }
    }
}
#endif
