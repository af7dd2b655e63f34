import DeskCommandLine
import DeskJSON
import DeskLint
import DeskMessages
import DeskModel

/// `frontdesk schema list` and `frontdesk schema show KIND`.
enum SchemaCommand {
    /// Prints what each schema describes.
    static func list(_ parsed: Parsed, executable: String) -> Int32 {
        run(parsed, executable) { schemas, direction throws(UsageError) in
            let rows = schemas.filter { direction == nil || $0.direction == direction }
            let kinds = rows.map(\.kind.utf8.count).max() ?? 0
            let lines = rows.map { schema in
                let way = schema.direction?.rawValue ?? ""
                return way + spaces(10 - way.utf8.count) + schema.kind
                    + spaces(kinds + 2 - schema.kind.utf8.count) + schema.title
            }
            return lines.joined(separator: "\n")
        }
    }

    /// Prints one schema as it is.
    static func show(_ parsed: Parsed, executable: String) -> Int32 {
        run(parsed, executable) { schemas, direction throws(UsageError) in
            guard parsed.arguments.count == 1, let word = parsed.arguments.first else {
                throw UsageError(
                    "name one kind", hint: "frontdesk schema list lists all of them")
            }
            let text = try find(word, direction, schemas).text
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
    }

    private struct Schema {
        let direction: Direction?
        let kind: String
        let name: String
        let title: String
        let text: String
    }

    private static func run(
        _ parsed: Parsed, _ executable: String,
        _ action: ([Schema], Direction?) throws(UsageError) -> String
    ) -> Int32 {
        do throws(UsageError) {
            let folder = try SchemaFolder(parsed["schemas"], executable: executable)
            let word = parsed["direction"]
            let direction = word.flatMap { Direction(rawValue: $0) }
            guard word == nil || direction != nil else {
                throw UsageError(
                    "--direction does not accept \"\(word ?? "")\"",
                    hint: "it accepts outbound, inbound")
            }
            Output.print(try action(folder.files.map(schema), direction))
            return 0
        } catch {
            Output.complain(error)
            return 2
        }
    }

    private static func schema(_ file: (name: String, bytes: [UInt8])) -> Schema {
        // Safe: a schema that cannot be read has no title; nothing else is read from it.
        let root = try? JSONDocument(parsing: file.bytes, limits: .unlimited).root
        let parts = file.name.split(separator: "/")
        let direction = parts.count == 2 ? Direction(rawValue: String(parts[0])) : nil
        let stem = String(file.name.dropLast(".json".count))
        return Schema(
            direction: direction, kind: direction == nil ? stem : String(parts[1].dropLast(5)),
            name: stem, title: root?["title"]?.string ?? "",
            text: String(decoding: file.bytes, as: UTF8.self))
    }

    /// The schema that a word names: `text`, `outbound/text`, or a reply by what it answers.
    private static func find(
        _ word: String, _ direction: Direction?, _ schemas: [Schema]
    ) throws(UsageError) -> Schema {
        var name = word.hasSuffix(".json") ? String(word.dropLast(5)) : word
        if name.hasPrefix(Rulebook.schemaRoot) {
            name = String(name.dropFirst(Rulebook.schemaRoot.count))
        }
        if let whole = schemas.first(where: { $0.name == name }) { return whole }
        let way = direction ?? .outbound
        let fitting = schemas.filter { $0.kind == name || $0.kind == name + "-reply" }
        if let found = fitting.first(where: { $0.direction == way }) { return found }
        // A reply has a name of its own; without a direction it is meant by it.
        if direction == nil, let found = fitting.first { return found }
        let near = Nearest.find(name, among: schemas.map(\.kind))
        throw UsageError(
            direction == nil
                ? "there is no schema \"\(word)\""
                : "there is no \(way.rawValue) schema \"\(word)\"",
            hint: near.map { "did you mean \($0)?" } ?? "frontdesk schema list lists all of them")
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}
