import DeskDiagnosis
import DeskJSON
import DeskModel

/// The member of `interactiveData.data` that makes an interactive message one of its kind.
struct Feature: Sendable {
    /// The current key.
    let key: StaticString
    /// Names that clients write instead; the channel passes over them.
    var mistakenKeys: [String] = []
    /// Those of the mistaken names that the channel reads in customers' answers.
    var keysReadInbound: Set<String> = []
    /// A member of the feature that only an answer has.
    var answerMember: String?
    /// What the customer's device gets of the feature; nil for all of it.
    var devicePart: DevicePart?
    /// Judges what the schema cannot say of the feature's value.
    var judge: @Sendable (inout Judging, _ feature: JSONValue) -> Void = { _, _ in }
    /// The titles of what an answer chose, for its summary.
    var chosen: @Sendable (_ feature: JSONValue, Language) -> String? = { _, _ in nil }
    /// The summary of an answer, where it is another than the name of what was chosen.
    var answerLine: (@Sendable (_ feature: JSONValue, SummaryWords) -> String)?
}

extension Feature {
    /// A feature's current key and the kind it makes.
    typealias Row = (key: StaticString, kind: MessageKind)

    /// Every feature of the protocol.
    static let table: [Row] = KindModel.all.compactMap { model in
        model.feature.map { ($0.key, model.kind) }
    }

    /// The current keys, for a sentence.
    static let names = table.map(\.key.description).joined(separator: ", ")

    /// The names that clients write by mistake, each with the current one.
    static let mistakenNames: [String: String] = {
        var names: [String: String] = [:]
        for feature in KindModel.all.compactMap(\.feature) {
            for name in feature.mistakenKeys { names[name] = feature.key.description }
        }
        return names
    }()

    /// The mistaken names that the channel reads in customers' answers.
    static let namesReadInbound = KindModel.all.compactMap(\.feature)
        .reduce(into: Set<String>()) { $0.formUnion($1.keysReadInbound) }

    /// Members only answers have, each with the feature that holds it.
    static let answerMembers: [(feature: String, member: String)] =
        KindModel.all.compactMap(\.feature).compactMap { feature in
            feature.answerMember.map { (feature.key.description, $0) }
        }

    /// Older or mistaken keys of a feature.
    static func others(of kind: MessageKind) -> [String] { kind.model.feature?.mistakenKeys ?? [] }

    /// The features that a data object holds, in the order of its text; other names count only
    /// where no current one is found.
    static func parts(of data: JSONValue) -> [(kind: MessageKind, value: JSONValue)] {
        let current = parts(of: data) { row, member in member.keyEquals(row.key) }
        guard current.isEmpty else { return current }
        return misnamed(in: data).map { ($0.kind, $0.member.value) }
    }

    /// The features that a data object holds under other names than the current ones.
    static func misnamed(
        in data: JSONValue
    ) -> [(kind: MessageKind, name: StaticString, member: JSONMember)] {
        rows(in: data) { row, member in
            let bare = Fixer.bare(member.key)
            return bare == Fixer.bare(row.key.description)
                || others(of: row.kind).contains { Fixer.bare($0) == bare }
        }.map { ($0.row.kind, $0.row.key, $0.member) }
    }

    /// The first of ``parts(of:)``; makes no list where it has a current name.
    static func first(of data: JSONValue) -> (kind: MessageKind, value: JSONValue)? {
        first(currentIn: data) ?? parts(of: data).first
    }

    /// The first feature under its current name.
    static func first(currentIn data: JSONValue) -> (kind: MessageKind, value: JSONValue)? {
        for member in data.members {
            for row in table where member.keyEquals(row.key) && !member.value.isNull {
                return (row.kind, member.value)
            }
        }
        return nil
    }

    /// Whether a key names a feature, by its current name or another.
    static func isName(_ key: String) -> Bool {
        mistakenNames[key] != nil || table.contains { $0.key.description == key }
    }

    private static func parts(
        of data: JSONValue, where fits: (Row, JSONMember) -> Bool
    ) -> [(kind: MessageKind, value: JSONValue)] {
        rows(in: data, where: fits).map { ($0.row.kind, $0.member.value) }
    }

    private static func rows(
        in data: JSONValue, where fits: (Row, JSONMember) -> Bool
    ) -> [(row: Row, member: JSONMember)] {
        var found: [(row: Row, member: JSONMember)] = []
        for member in data.members where !member.value.isNull {
            guard let row = table.first(where: { fits($0, member) }) else { continue }
            found.append((row, member))
        }
        return found
    }
}
