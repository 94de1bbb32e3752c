internal import CYAML

/// A value in a YAML document.
package indirect enum YAMLNode {
    case scalar(String, line: Int)
    case sequence([YAMLNode], line: Int)
    /// The pairs in the document's order; no two of their keys are equal scalars.
    case mapping([(key: YAMLNode, value: YAMLNode)], line: Int)

    /// The line on which the value begins, counted from 1.
    package var line: Int {
        switch self {
        case .scalar(_, let line), .sequence(_, let line), .mapping(_, let line): line
        }
    }
}

/// A mistake in a YAML document.
struct YAMLError: Error {
    /// The line of the mistake, counted from 1; nil when libyaml does not give one.
    let line: Int?
    let reason: String
}

extension YAMLNode {
    /// Parses a text of one document without anchors and aliases, with which a short text can expand to a huge one.
    ///
    /// Returns nil for a text without a document.
    static func parsed(_ text: String) throws(YAMLError) -> YAMLNode? {
        try unsafe [UInt8](text.utf8).withUnsafeBufferPointer { (bytes) throws(YAMLError) in
            let reader = unsafe YAMLReader(bytes)
            return try reader.document()
        }
    }
}

/// Builds the tree of a YAML text from libyaml's events.
///
/// The text's bytes must outlive the reader.
@safe private struct YAMLReader: ~Copyable {
    /// The largest number of collections around a value.
    private static let depthLimit = 64

    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Fails only without free memory; the parser's error then tells ``next()``.
        unsafe yaml_parser_initialize(parser)
        unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    func document() throws(YAMLError) -> YAMLNode? {
        _ = try next()
        guard case .documentStart = try next().kind else { return nil }
        let root = try value(try next(), depth: 0)
        _ = try next()
        let end = try next()
        guard case .streamEnd = end.kind else {
            throw YAMLError(line: end.line, reason: "a second document begins, but a configuration is one document")
        }
        return root
    }

    /// Reads the rest of the value that begins with `event`.
    private func value(_ event: Event, depth: Int) throws(YAMLError) -> YAMLNode {
        guard !event.isShared else {
            throw YAMLError(
                line: event.line, reason: "anchors and aliases (& and *) are not supported: write the value out")
        }
        if case .scalar(let text) = event.kind { return .scalar(text, line: event.line) }
        guard depth < Self.depthLimit else {
            throw YAMLError(line: event.line, reason: "values are nested more than \(Self.depthLimit) levels deep")
        }
        guard case .mappingStart = event.kind else {
            var elements: [YAMLNode] = []
            while let element = try element(depth) { elements.append(element) }
            return .sequence(elements, line: event.line)
        }
        var pairs: [(key: YAMLNode, value: YAMLNode)] = []
        var names: Set<String> = []
        while let key = try element(depth), let value = try element(depth) {
            if case .scalar(let name, let line) = key, !names.insert(name).inserted {
                throw YAMLError(line: line, reason: "the key \(name) occurs twice")
            }
            pairs.append((key, value))
        }
        return .mapping(pairs, line: event.line)
    }

    /// Reads a value of the collection that has begun; nil at the collection's end.
    private func element(_ depth: Int) throws(YAMLError) -> YAMLNode? {
        let event = try next()
        if case .collectionEnd = event.kind { return nil }
        return try value(event, depth: depth + 1)
    }

    private func next() throws(YAMLError) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) != 0, unsafe parser.pointee.error == YAML_NO_ERROR else {
            throw problem
        }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe Event(event)
    }

    /// The mistake that libyaml has found.
    private var problem: YAMLError {
        let parser = unsafe parser.pointee
        let reason = unsafe parser.problem.map { unsafe String(cString: $0) }
        // libyaml gives a mistake in the encoding by its byte, and no line.
        let line = unsafe parser.error == YAML_READER_ERROR ? nil : Int(parser.problem_mark.line) + 1
        return YAMLError(line: line, reason: "the file is not valid YAML\(reason.map { ": \($0)" } ?? "")")
    }
}

private struct Event {
    enum Kind {
        case documentStart, scalar(String), sequenceStart, mappingStart, collectionEnd, streamEnd
        case other
    }

    let kind: Kind
    /// True for an alias, and for a value that has an anchor.
    let isShared: Bool
    /// The line of the event's beginning, counted from 1.
    let line: Int

    init(_ event: yaml_event_t) {
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = unsafe .scalar(String(decoding: bytes, as: UTF8.self))
            isShared = unsafe scalar.anchor != nil
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            isShared = unsafe event.data.sequence_start.anchor != nil
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            isShared = unsafe event.data.mapping_start.anchor != nil
        case let type:
            kind =
                switch type {
                case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: .collectionEnd
                case YAML_DOCUMENT_START_EVENT: .documentStart
                case YAML_STREAM_END_EVENT: .streamEnd
                default: .other
                }
            isShared = type == YAML_ALIAS_EVENT
        }
        line = unsafe Int(event.start_mark.line) + 1
    }
}
