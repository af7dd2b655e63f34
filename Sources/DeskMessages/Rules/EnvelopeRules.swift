import DeskBytes
import DeskDiagnosis
import DeskJSON
import DeskModel

extension Judging {
    /// Compares the stated envelope with what the route and the credential say.
    mutating func judgeEnvelope(_ stated: StatedEnvelope) {
        for node in [stated.version, stated.id, stated.source, stated.destination] {
            if let node, node.isNull { noteNull(node) }
        }
        let expected = context.envelope
        compare(stated.id, "id", expected.id, isUUID: false)
        let businessSends = context.direction == .outbound
        compare(stated.source, "sourceId", expected.sourceID, isUUID: businessSends)
        compare(stated.destination, "destinationId", expected.destinationID, isUUID: !businessSends)
        noteSchemaName(in: "a message")
        guard !context.mayOmitEnvelope, !stated.missing.isEmpty else { return }
        let names = stated.missing.map(\.rawValue).joined(separator: ", ")
        note(
            .envelopeIncomplete, at: root, found: "no \(names)",
            allowed: "all of v, id, sourceId and destinationId", fix: "Add \(names).",
            edits: stated.missing == [.v] ? [.insert("v", "1", into: root)] : [])
    }

    /// No member of the envelope may be null: the server fills in only what is left out.
    private mutating func noteNull(_ node: JSONValue) {
        note(
            .wrongType, at: node, found: "null",
            allowed: context.mayOmitEnvelope ? "a value, or no such member" : "a value",
            fix: "State it\(context.mayOmitEnvelope ? ", or leave it out" : "").",
            edits: context.mayOmitEnvelope ? Edit.remove(node).map { [$0] } ?? [] : [])
    }

    /// Notes that what is no message names its schema; a file of settings of ours may.
    mutating func judgeSchemaName(of document: String) {
        if document != Rulebook.settingsDocument { noteSchemaName(in: "what is sent") }
    }

    private mutating func noteSchemaName(in what: String) {
        guard let schema = root["$schema"] else { return }
        note(
            .schemaNamed, at: schema, found: "$schema in \(what)",
            allowed: "$schema in a file that an editor shows",
            fix: "Take it out before the message is sent.",
            edits: Edit.remove(schema).map { [$0] } ?? [])
    }

    private mutating func compare(
        _ node: JSONValue?, _ name: String, _ expected: String?, isUUID: Bool
    ) {
        guard let node, let expected, !node.equals(expected) else { return }
        guard let stated = node.stringBytes else { return }
        if isUUID {
            // A UUID names the same business in either case, and another rule reports the prefix of
            // 2017.
            let prefix = Array("urn:biz:".utf8)
            let bare = stated.starts(with: prefix) ? Array(stated.dropFirst(prefix.count)) : stated
            guard ASCII.lowercased(bare) != ASCII.lowercased(expected.utf8) else { return }
        }
        note(
            .envelopeDisagrees, at: node, found: node.quoted,
            allowed: "\"\(expected)\", as the request says",
            fix: "Leave \(name) out, or state \"\(expected)\".")
    }
}
