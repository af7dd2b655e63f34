import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What a request changes of a conversation's labels.
struct LabelChange {
    /// Labels to add.
    let add: [LabelID]
    /// Labels to remove.
    let remove: [LabelID]

    /// Reads the member of a request's body; nil when the request does not speak of labels.
    ///
    /// What cannot be is a finding; the commit decides again.
    init?(
        _ fields: inout Fields, _ conversation: Conversation, _ services: Services
    ) async throws(Problem) {
        guard let change = try Self.read(&fields) else { return nil }
        (add, remove) = change
        let known = try await services.asking { store throws(StoreError) in
            try await store.labels(of: conversation.business)
        }
        let list = "GET /api/businesses/\(conversation.business.text)/labels"
        let usable = Set(known.lazy.filter { !$0.isRetired }.map(\.id))
            .union(conversation.labels)
        if !usable.isSuperset(of: add) {
            fields.note(
                "labels", "labels of the conversation's business that are not retired",
                "Take the ids from \(list).")
        }
        let after = Set(conversation.labels).subtracting(remove).union(add)
        if after.count > Label.mostOfConversation, !add.isEmpty {
            fields.note(
                "labels", "at most \(Label.mostOfConversation) on a conversation",
                "Remove others in the same request.")
        }
    }

    /// Reads the labels that a request adds and removes, and knows nothing of a conversation.
    static func read(
        _ fields: inout Fields
    ) throws(Problem) -> (add: [LabelID], remove: [LabelID])? {
        guard let value = fields.value("labels"), !value.isNull else { return nil }
        var members: Fields
        do throws(Problem) {
            members = try Fields(value)
        } catch {
            fields.note(
                "labels", "an object with add or remove",
                #"Write {"add":["ID"],"remove":["ID"]}, with ids of the business's labels."#)
            return nil
        }
        let change = (add: ids("add", &members), remove: ids("remove", &members))
        try members.finish()
        return change
    }

    /// Reads a list of labels; what cannot be is a finding.
    static func ids(_ name: String, _ members: inout Fields) -> [LabelID] {
        guard let value = members.value(name), !value.isNull else { return [] }
        let ids =
            value.kind == .array
            ? value.elements.map { $0.string.flatMap { LabelID($0) } } : [nil]
        guard ids.count <= Label.most, ids.allSatisfy({ $0 != nil }) else {
            members.note(
                name, "a list of at most \(Label.most) ids of labels", "Write [\"ID\"].")
            return []
        }
        return ids.compactMap(\.self)
    }
}
