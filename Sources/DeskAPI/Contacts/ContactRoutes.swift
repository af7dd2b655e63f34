import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the contacts of a business.
    public mutating func addContacts(limits: APILimits) {
        let path = "/api/businesses/{business}/contacts"
        add(
            .get, path, operation: "listContacts", permission: .readConversations,
            business: .path, query: .known(["q", "filter[externalId]"] + PageParameters.names),
            rate: .search
        ) { context async throws(Problem) in try await ContactRoutes(context).list() }
        add(
            .get, path + "/{contact}", operation: "getContact", permission: .readConversations,
            business: .path
        ) { context async throws(Problem) in try await ContactRoutes(context).get() }
        add(
            .patch, path + "/{contact}", operation: "changeContact", permission: .writeContacts,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await ContactRoutes(context).change() }
        addMerging(path + "/{contact}", limits: limits)
    }

    private mutating func addMerging(_ path: String, limits: APILimits) {
        add(
            .post, path + "/merge", operation: "mergeContact", permission: .mergeContacts,
            business: .path, bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await ContactRoutes(context).merge() }
        add(
            .post, path + "/unmerge", operation: "unmergeContact", permission: .mergeContacts,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await ContactRoutes(context).unmerge() }
        add(
            .post, path + "/block", operation: "blockContact", permission: .blockContacts,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await ContactRoutes(context).block(true) }
        add(
            .post, path + "/unblock", operation: "unblockContact", permission: .blockContacts,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await ContactRoutes(context).block(false) }
    }
}

/// Answers the routes of `addContacts`.
struct ContactRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let query = context.request.query
        let externalID = try query.nonEmpty(
            "filter[externalId]", "the externalId of a contact",
            bytes: Contact.maximumExternalIDBytes)
        if let externalID { return try await find(externalID, in: business) }
        if query["q"] != nil { return try await search(business) }
        let size = try query.pageSize(services.limits.web)
        let edge = try query.pageEdge { DecimalText.number($0).map(Int64.init) }
        let page = try await services.asking { store throws(StoreError) in
            try await store.contacts(of: business, at: edge, limit: size)
        }
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.member("data") { text in
                    text.array { text in
                        for one in page.elements {
                            text.object { $0.members(of: one.contact, services.authorNames) }
                        }
                    }
                }
                text.page(
                    edge, hasMore: page.hasMore,
                    first: page.elements.first.map { String($0.place) },
                    last: page.elements.last.map { String($0.place) })
            })
    }

    /// Looks for the contact that has a name in another system, or that it was merged into.
    private func find(
        _ externalID: String, in business: BusinessID
    ) async throws(Problem) -> Response {
        guard context.request.query["q"] == nil else {
            throw Problem(
                parameter: "q", in: context.request.query,
                allowed: "no q together with filter[externalId]",
                fix: "Take one of them out: an externalId names one contact.")
        }
        let found = try await services.asking { store throws(StoreError) in
            var found = try await store.findContact(externalID: externalID, of: business)
            for _ in 0..<Contact.mostMerged {
                guard let next = found?.merge?.into else { break }
                found = try await store.findContact(next)
            }
            return found
        }
        return try answer(found.map { [$0] } ?? [])
    }

    /// Looks for contacts by the names of their conversations, the newest activity first.
    private func search(_ business: BusinessID) async throws(Problem) -> Response {
        let words = try SearchRoutes(context).query()
        let found = try await services.asking { store throws(StoreError) in
            let named = try await store.findConversations(
                named: words, in: [business], limit: Contact.mostFound)
            var found: [Contact] = []
            for id in named.map(\.contact) where !found.contains(where: { $0.id == id }) {
                if let contact = try await store.findContact(id) { found.append(contact) }
            }
            return found
        }
        return try answer(found)
    }

    private func answer(_ found: [Contact]) throws(Problem) -> Response {
        let page = try context.page(of: found) { $0.id.text }
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.list(page) { text, contact in
                    text.object { $0.members(of: contact, services.authorNames) }
                }
            })
    }

    func get() async throws(Problem) -> Response {
        let (business, id) = try names()
        let contact = try await services.asking { store throws(StoreError) in
            try await store.findContact(id)
        }
        guard let contact, contact.business == business else { throw .notFound }
        return try await answer(contact)
    }

    func change() async throws(Problem) -> Response {
        let (business, id) = try names()
        let before = try await services.asking { store throws(StoreError) in
            try await store.findContact(id)
        }
        var fields = try Fields(try await context.jsonBytes())
        var values = SaveContact.Values()
        values.name = text("name", bytes: Contact.maximumNameBytes, &fields)
        values.externalID = text("externalId", bytes: Contact.maximumExternalIDBytes, &fields)
        values.notes = fields.text("notes", bytes: 0...Contact.maximumNotesBytes)
        values.attributes =
            try await AttributeChange.read(&fields, of: .contact, in: business, services) ?? [:]
        // A contact of another business is found by the broker to be none of this one.
        let known = before?.business == business ? before?.metadata : nil
        values.metadata = fields.metadataChange(of: known ?? Metadata()) ?? Metadata.Change()
        try fields.finish()
        let author = try context.requirePrincipal().author
        let changes = values
        return try await answering(id) { broker throws(BrokerError) in
            try await broker.change(id, of: business, changes, by: author)
        }
    }

    func merge() async throws(Problem) -> Response {
        let (business, id) = try names()
        var fields = try Fields(try await context.jsonBytes())
        _ = fields.requireValue("contact")
        let text = fields.text("contact", bytes: 1...64)
        let other = text.flatMap { ContactID($0) }
        if text != nil, other == nil {
            fields.note("contact", "the id of a contact", "Take it from the list of contacts.")
        }
        if let other { try await judge(other, into: id, of: business, &fields) }
        try fields.finish()
        guard let other else { throw .notFound }
        let author = try context.requirePrincipal().author
        return try await answering(other, beside: id) { broker throws(BrokerError) in
            try await broker.merge(other, into: id, of: business, by: author)
        }
    }

    /// Notes why a contact cannot be merged into another; the commit decides again.
    private func judge(
        _ other: ContactID, into id: ContactID, of business: BusinessID, _ fields: inout Fields
    ) async throws(Problem) {
        guard other != id else {
            return fields.note(
                "contact", "another contact than the one of the path",
                "A contact is not merged with itself: name the other one.")
        }
        let (root, merged, count) = try await services.asking { store throws(StoreError) in
            (
                try await store.findContact(id), try await store.findContact(other),
                try await store.contactTree(of: id).count
                    + store.contactTree(of: other).count
            )
        }
        guard let root, let merged, root.business == business, merged.business == business else {
            throw .notFound
        }
        if (root.blockedAt == nil) != (merged.blockedAt == nil) {
            fields.note(
                "contact", "both contacts blocked, or neither",
                "Block or unblock one of them first.")
        }
        if count > Contact.mostMerged {
            fields.note(
                "contact", "at most \(Contact.mostMerged) contacts in one",
                "Leave this one as it is.")
        }
        if root.notes.utf8.count + merged.notes.utf8.count + 2 > Contact.maximumNotesBytes {
            fields.note(
                "contact", "notes of at most \(Contact.maximumNotesBytes) bytes together",
                "Shorten the notes of one of them first.")
        }
    }

    func unmerge() async throws(Problem) -> Response {
        let (business, id) = try names()
        let author = try context.requirePrincipal().author
        return try await answering(id) { broker throws(BrokerError) in
            try await broker.unmerge(id, of: business, by: author)
        }
    }

    func block(_ isBlocked: Bool) async throws(Problem) -> Response {
        let (business, id) = try names()
        let author = try context.requirePrincipal().author
        return try await answering(id) { broker throws(BrokerError) in
            try await broker.block(id, of: business, isBlocked, by: author)
        }
    }

    /// Asks the broker; a refusal because of a merge has the contact that was merged, as it is.
    private func answering(
        _ id: ContactID, beside other: ContactID? = nil,
        _ ask: (Broker) async throws(BrokerError) -> Contact
    ) async throws(Problem) -> Response {
        do throws(Problem) {
            return try await answer(try await services.brokering(ask))
        } catch {
            guard error.code == .alreadyMerged || error.code == .notMerged else { throw error }
            let authorNames = services.authorNames
            let found = try await services.asking { store throws(StoreError) -> Contact? in
                var found = try await store.findContact(id)
                if let other, found?.merge == nil { found = try await store.findContact(other) }
                if let merge = found?.merge { try await authorNames.load([merge.author]) }
                return found
            }
            var problem = error
            if let found {
                problem.current = JSONWriter.object { $0.members(of: found, authorNames) }
            }
            throw problem
        }
    }

    private func names() throws(Problem) -> (BusinessID, ContactID) {
        guard let id = context.request.parameters["contact"].flatMap({ ContactID($0) }) else {
            throw .notFound
        }
        return (try context.requireBusinessID(), id)
    }

    /// A member that null empties; nil when the request does not speak of it.
    private func text(_ name: String, bytes: Int, _ fields: inout Fields) -> String?? {
        guard let value = fields.value(name) else { return nil }
        if value.isNull { return .some(nil) }
        guard let text = fields.text(name, bytes: 1...bytes) else { return nil }
        if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            fields.note(name, "a text that can be seen, or null", "Send null for none.")
        }
        return text
    }

    private func answer(_ contact: Contact) async throws(Problem) -> Response {
        let authorNames = services.authorNames
        let (conversations, merged) = try await services.asking { store throws(StoreError) in
            var conversations: [Conversation] = []
            var merged: [Contact] = []
            for id in try await store.contactTree(of: contact.id).prefix(Contact.mostMerged) {
                if let one = try await store.findConversation(ConversationID(id.value)) {
                    conversations.append(one)
                }
                guard let one = try await store.findContact(id), one.merge?.into == contact.id
                else { continue }
                merged.append(one)
            }
            try await authorNames.load(conversations)
            try await authorNames.load(merged.compactMap(\.merge?.author))
            if let merge = contact.merge { try await authorNames.load([merge.author]) }
            return (conversations.sorted { $0.activity > $1.activity }, merged)
        }
        return .json(
            JSONWriter.object(capacity: 2_048) { text in
                text.members(of: contact, authorNames)
                text.member("mergedFrom") { text in
                    text.array { text in
                        for one in merged {
                            text.object { text in
                                text.member("id", one.id.text)
                                text.member("name", one.name)
                                if let merge = one.merge {
                                    text.member("by") { $0.author(merge.author, authorNames) }
                                    text.member("at", merge.time)
                                }
                            }
                        }
                    }
                }
                text.member("conversations") { text in
                    text.array { text in
                        for one in conversations { text.conversation(one, authorNames) }
                    }
                }
            })
    }
}

extension JSONWriter {
    /// Writes the members of a contact's object.
    mutating func members(of contact: Contact, _ authorNames: AuthorNames) {
        member("id", contact.id.text)
        member("business", contact.business.text)
        member("name", contact.name)
        member("externalId", contact.externalID)
        member("externalIdVerified", contact.isExternalIDVerified)
        member("notes", contact.notes)
        member("attributes") { $0.attributes(contact.attributes) }
        member("metadata") { $0.metadata(contact.metadata) }
        member("blockedAt", contact.blockedAt)
        member("merged") { text in
            guard let merge = contact.merge else { return text.null() }
            text.object { text in
                text.member("into", merge.into.text)
                text.member("by") { $0.author(merge.author, authorNames) }
                text.member("at", merge.time)
            }
        }
        member("createdAt", contact.createdAt)
    }
}
