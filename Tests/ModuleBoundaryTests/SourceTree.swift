import Foundation

/// The package's own source files.
enum SourceTree {
    struct Import {
        let file: String
        let module: String
    }

    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The Swift modules: the folders of `Sources` that have Swift files.
    static let modules: [String] = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)) ?? []
        return folders.filter { !files(in: folder(of: $0)).isEmpty }.sorted()
    }()

    static func imports(of module: String) -> [Import] {
        files(in: folder(of: module)).flatMap { file in
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return importedModules(in: text).map { Import(file: file.lastPathComponent, module: $0) }
        }
    }

    static func importedModules(in text: String) -> [String] {
        let form =
            /^\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|typealias|let|var)\s+)?(\w+)/
            .anchorsMatchLineEndings()
        return text.matches(of: form).map { String($0.output.1) }
    }

    static func folder(of module: String) -> URL {
        root.appending(path: "Sources/\(module)")
    }

    static func files(in folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }
}
