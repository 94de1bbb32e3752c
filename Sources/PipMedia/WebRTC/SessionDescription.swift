#if Media
internal import PipFrames

/// A session description (SDP), as a list of lines.
///
/// This type supports the edits that offers and answers of WebRTC need.
///
/// Source: RFC 8866 for the format, RFC 8829 (JSEP) for offers and answers, RFC 9143 for `BUNDLE`.
struct SessionDescription: Equatable {
    /// A media section: an `m=` line and the lines after it.
    struct Section: Equatable {
        var lines: [String]
    }

    /// An encoding that a section offers for its packets.
    struct Format: Equatable {
        let payload: Int
        /// The encoding's name, such as `H264`.
        let name: String
        /// The parameters of the `a=fmtp` line, keyed by lowercased name.
        let parameters: [String: String]
    }

    private static let largest = 100_000

    /// The session's own lines, before the first media section.
    var head: [String]
    var sections: [Section]

    /// Parses a description.
    ///
    /// - Parameter text: The text from a browser or a server, which is not trusted.
    /// - Throws: ``MediaError`` when the text is not a session description.
    init(_ text: String) throws(MediaError) {
        func mistake(_ reason: String) -> MediaError { MediaError(kind: .failed, reason: reason) }
        guard text.utf8.count <= Self.largest else {
            throw mistake("the session description (SDP) is larger than \(Self.largest) bytes")
        }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard lines.first == "v=0" else {
            throw mistake(
                "the session description (SDP) must begin with v=0, but begins with \(lines.first?.prefix(40) ?? "nothing")"
            )
        }
        for line in lines where line.dropFirst().first != "=" {
            throw mistake(
                "each line of the session description (SDP) must begin with a letter and =: \(line.prefix(40))")
        }
        head = Array(lines.prefix { !$0.hasPrefix("m=") })
        sections = []
        for line in lines.dropFirst(head.count) {
            if line.hasPrefix("m=") { sections.append(Section(lines: [])) }
            sections[sections.count - 1].lines.append(line)
        }
        guard sections.allSatisfy({ $0.words.count >= 4 }) else {
            throw mistake("the session description (SDP) has an m= line with fewer than four fields")
        }
    }

    /// The description's text, with CR LF line ends as SDP requires.
    var text: String { (head + sections.flatMap(\.lines)).map { $0 + "\r\n" }.joined() }

    /// The index of the offered video section to which this side can send: the first that is not refused and can
    /// receive; nil for none.
    var receivingVideo: Int? { receiving("video") }

    /// The index of the offered audio section to which this side can send; nil for none.
    var receivingSound: Int? { receiving("audio") }

    private func receiving(_ kind: String) -> Int? {
        sections.firstIndex { section in
            section.kind == kind && section.direction(in: head) != "sendonly"
                && section.direction(in: head) != "inactive" && (section.port != "0" || section.isBundleOnly)
        }
    }

    /// Returns the offer with only some of its sections, in their order.
    ///
    /// A section without transport lines gets those of the first section, whose transport the bundle uses.
    ///
    /// - Parameter indices: The indices of the sections to keep.
    /// - Returns: The reduced offer.
    func reduced(to indices: [Int]) -> SessionDescription {
        var reduced = self
        reduced.sections = indices.sorted().map { index in
            var section = sections[index]
            if section.isBundleOnly {
                section.lines.removeAll { $0 == "a=bundle-only" }
                section.port = "9"
            }
            if !section.lines.contains(where: { $0.hasPrefix("a=ice-ufrag:") }), let tagged = sections.first {
                let transport = ["a=ice-", "a=fingerprint:", "a=setup:", "a=candidate:", "a=end-of-candidates"]
                section.lines += tagged.lines.filter { line in
                    transport.contains { line.hasPrefix($0) } && !section.lines.contains(line)
                }
            }
            return section
        }
        reduced.setBundle(reduced.sections.compactMap(\.mid))
        return reduced
    }

    /// Turns the answer to a reduced offer into the answer to the full offer.
    ///
    /// The answer refuses the sections that ``reduced(to:)`` left out.
    ///
    /// - Parameters:
    ///   - offer: The full offer.
    ///   - indices: The indices of the sections that were kept.
    /// - Returns: The answer to `offer`.
    func expanded(answering offer: SessionDescription, at indices: [Int]) -> SessionDescription {
        var answer = self
        let order = indices.sorted()
        answer.sections = offer.sections.enumerated().map { position, section in
            if let place = order.firstIndex(of: position), place < sections.count {
                return sections[place].namingProfiles(of: section)
            }
            var refused = section.words
            refused[1] = "0"
            return Section(
                lines: ["m=" + refused.joined(separator: " "), "c=IN IP4 0.0.0.0"]
                    + (section.mid.map { ["a=mid:\($0)"] } ?? []) + ["a=inactive"])
        }
        answer.setBundle(order.compactMap { offer.sections[$0].mid })
        return answer
    }

    /// Replaces the `BUNDLE` group, if there is one: the identifiers of the sections that share a transport.
    private mutating func setBundle(_ mids: [String]) {
        guard head.contains(where: { $0.hasPrefix("a=group:BUNDLE") }) else { return }
        head.removeAll { $0.hasPrefix("a=group:BUNDLE") }
        if !mids.isEmpty { head.append("a=group:BUNDLE \(mids.joined(separator: " "))") }
    }

    /// Returns the description with another role in the DTLS handshake: `active`, `passive` or `actpass`.
    func settingRole(_ role: String) -> SessionDescription {
        var result = self
        for index in sections.indices {
            result.sections[index].lines = sections[index].lines.map {
                $0.hasPrefix("a=setup:") ? "a=setup:\(role)" : $0
            }
        }
        return result
    }
}

extension SessionDescription.Section {
    /// The fields of the `m=` line: kind, port, protocol and payload types.
    var words: [String] { lines.first.map { $0.dropFirst(2).split(separator: " ").map(String.init) } ?? [] }

    /// The kind of media: `audio`, `video` or `application`; empty without an `m=` line.
    var kind: String { words.first ?? "" }

    var port: String {
        get { words.count > 1 ? words[1] : "" }
        set {
            var words = words
            words[1] = newValue
            lines[0] = "m=" + words.joined(separator: " ")
        }
    }

    /// The section's media identifier (MID), which the `BUNDLE` group lists; nil for none.
    var mid: String? { value(of: "a=mid:") }

    var isBundleOnly: Bool { lines.contains("a=bundle-only") }

    func direction(in head: [String]) -> String {
        let directions = ["sendrecv", "sendonly", "recvonly", "inactive"]
        return directions.first { lines.contains("a=\($0)") } ?? directions.first { head.contains("a=\($0)") }
            ?? "sendrecv"
    }

    /// The section's encodings, the preferred one first.
    var formats: [SessionDescription.Format] {
        words.dropFirst(3).compactMap { word in
            guard let payload = Int(word), (0...127).contains(payload),
                let map = value(of: "a=rtpmap:\(payload) "), let name = map.split(separator: "/").first
            else { return nil }
            var parameters: [String: String] = [:]
            for pair in (value(of: "a=fmtp:\(payload) ") ?? "").split(separator: ";") {
                let halves = pair.split(separator: "=", maxSplits: 1).map { $0.trimmed.lowercased() }
                if halves.count == 2 { parameters[halves[0]] = halves[1] }
            }
            return SessionDescription.Format(payload: payload, name: name.uppercased(), parameters: parameters)
        }
    }

    /// Returns the section of an answer with the H.264 profiles of the offer.
    ///
    /// GStreamer omits the profiles, and a missing profile means the lowest.
    fileprivate func namingProfiles(of offer: Self) -> Self {
        var result = self
        for format in offer.formats where format.name == "H264" {
            guard let profile = format.parameters["profile-level-id"],
                let line = lines.firstIndex(where: { $0.hasPrefix("a=fmtp:\(format.payload) ") }),
                !lines[line].contains("profile-level-id")
            else { continue }
            result.lines[line] += ";profile-level-id=\(profile)"
        }
        return result
    }

    private func value(of prefix: String) -> String? {
        lines.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}
#endif
