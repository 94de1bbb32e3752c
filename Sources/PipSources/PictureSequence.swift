internal import Glibc
internal import PipCodecs
internal import PipFrames
internal import SystemPackage

/// Finds the files of a picture sequence.
package enum PictureSequence {
    /// Lists the files that a path refers to.
    ///
    /// - Parameter path: A path with a field for a number, such as `frames/%03d.png`, for all files from the lowest
    ///   number on. Or a folder, for all pictures in it, sorted by name with numbers by value.
    /// - Returns: The files in order.
    /// - Throws: ``SourceError`` when the folder cannot be read, when no file or too many files exist, or when a number
    ///   is missing in between.
    static func files(_ path: String) throws(SourceError) -> [String] {
        let files: [String]
        if let field = Field(path) { files = try numbered(field, path) } else { files = try listed(path) }
        guard !files.isEmpty else {
            throw SourceError(
                path, "open", .notFound,
                Field(path) == nil ? "it is a folder without pictures" : "no file has a name of this form")
        }
        guard files.count <= PictureLimits.pictures else {
            throw SourceError(
                path, "open", .invalidOptions,
                "a sequence has at most \(PictureLimits.pictures) files, not \(files.count)")
        }
        return files
    }

    /// The file extensions of pictures.
    package static let endings = [
        "png", "apng", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "avif", "heic", "heif",
    ]

    /// True when a path refers to a sequence: it has a field for a number, or ends with a slash.
    package static func isNamed(by path: String) -> Bool { path.hasSuffix("/") || Field(path) != nil }

    /// True when a path has no field for a number, and is not that of an existing folder.
    static func isOneFile(_ path: String) -> Bool {
        var status = stat()
        guard Field(path) == nil else { return false }
        return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR
    }

    /// The parts of a path with a field for a number, such as `%03d`.
    private struct Field {
        var folder: String
        var before: Substring
        var after: Substring
        var digits: Int

        /// Splits a path at the field in its last component; returns nil when the component has no field.
        init?(_ path: String) {
            let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
            folder = String(path[..<start])
            let name = path[start...]
            guard let percent = name.firstIndex(of: "%"), let end = name[percent...].firstIndex(of: "d") else {
                return nil
            }
            let width = name[name.index(after: percent)..<end]
            guard width.allSatisfy(\.isNumber), let digits = width.isEmpty ? 1 : Int(width), (1...9).contains(digits)
            else { return nil }
            self.digits = digits
            before = name[..<percent]
            after = name[name.index(after: end)...]
        }

        /// The number in the name of a file of the sequence; nil for other files.
        func number(in name: String) -> Int? {
            guard name.count >= before.count + after.count, name.hasPrefix(before), name.hasSuffix(after) else {
                return nil
            }
            let text = name.dropFirst(before.count).dropLast(after.count)
            guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
                padded(number) == text
            else { return nil }
            return number
        }

        func padded(_ number: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
    }

    private static func numbered(_ field: Field, _ path: String) throws(SourceError) -> [String] {
        let numbers = try names(in: field.folder.isEmpty ? "." : field.folder).compactMap(field.number).sorted()
        for (number, next) in zip(numbers, numbers.dropFirst()) where next != number + 1 {
            throw SourceError(
                path, "open", .notFound,
                "number \(field.padded(number + 1)) is missing between \(field.padded(number)) and \(field.padded(next))"
            )
        }
        return numbers.map { "\(field.folder)\(field.before)\(field.padded($0))\(field.after)" }
    }

    private static func listed(_ path: String) throws(SourceError) -> [String] {
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        return try names(in: folder)
            .filter { name in endings.contains { name.lowercased().hasSuffix(".\($0)") } }
            .sorted { sortable($0) < sortable($1) }.map { "\(folder)/\($0)" }
    }

    /// A key for sorting names, in which numbers are padded with zeros, so that 9 comes before 10.
    private static func sortable(_ name: String) -> String {
        var result = ""
        var digits = ""
        for character in name + "\n" {
            if character.isNumber {
                digits.append(character)
                continue
            }
            if !digits.isEmpty { result += String(repeating: "0", count: max(0, 20 - digits.count)) + digits }
            digits = ""
            result.append(character)
        }
        return result
    }

    private static func names(in folder: String) throws(SourceError) -> [String] {
        guard let names = Folder.readableEntries(of: folder) else {
            throw SourceError(folder, "open", Errno(rawValue: errno))
        }
        return names.filter { !$0.hasPrefix(".") }
    }
}
