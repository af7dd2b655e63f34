import DeskCommandLine
import DeskJSON
import DeskLint
import DeskModel

/// The examples of events in the event catalogue: Schemas/events/TYPE.json.
struct EventExamples {
    private static let folder = "events/"

    private let files: [(name: String, bytes: [UInt8])]

    init(_ folder: SchemaFolder) { files = folder.files }

    /// The first example of a type, with this id and time.
    ///
    /// - Throws: when there is no such type, with the nearest one that there is.
    func example(of type: String, id: String, time: Timestamp) throws(UsageError) -> JSON {
        guard Self.isPosted(type),
            let file = files.first(where: { $0.name == Self.folder + type + ".json" }),
            let example = first(of: file.bytes), case .object(let members) = JSON(example)
        else { throw unknown(type) }
        let now: [String: String] = ["id": id, "time": time.text]
        return .object(members.map { key, value in (key, now[key].map { .string($0) } ?? value) })
    }

    /// Whether endpoints get events of a type: the catalogue also has frames of the streams.
    private static func isPosted(_ type: String) -> Bool {
        EventType(rawValue: type)?.isForWebhooks == true
    }

    private func first(of bytes: [UInt8]) -> JSONValue? {
        // Safe: a schema that cannot be read has no example.
        let root = try? JSONDocument(parsing: bytes, limits: .unlimited).root
        return root?["examples"].map { Array($0.elements) }?.first
    }

    private func unknown(_ type: String) -> UsageError {
        let types: [String] = files.compactMap { file in
            guard file.name.hasPrefix(Self.folder), first(of: file.bytes) != nil else { return nil }
            let type = String(file.name.dropFirst(Self.folder.count).dropLast(".json".count))
            return Self.isPosted(type) ? type : nil
        }
        guard !types.isEmpty else {
            return UsageError(
                "the schemas have no examples of events",
                hint: "--schemas names a folder with events/message.accepted.json in it")
        }
        let near = Nearest.find(type, among: types)
        return UsageError(
            "there is no event of type \"\(type)\"",
            hint: near.map { "did you mean \($0)?" }
                ?? "there are: \(types.joined(separator: ", "))")
    }
}
