import DeskModel
import DeskStore
import DeskWeb

extension Services {
    /// The conversations of one person: those of the contact, with what was merged into it.
    ///
    /// A contact has the UUID of the conversation that it was made with. Limit: two lookups for each
    /// business, and `Contact.mostMerged` conversations of each contact.
    func conversations(
        of lookup: ViewFilter.Lookup, in businesses: Set<BusinessID>
    ) async throws(Problem) -> Set<ConversationID> {
        var found: Set<ConversationID>?
        if let customer = lookup.customer {
            found = try await conversations(ofCustomer: customer, in: businesses)
        }
        if let externalID = lookup.externalID {
            var other: Set<ConversationID> = []
            for business in businesses {
                let contact = try await asking { store throws(StoreError) in
                    try await store.findContact(externalID: externalID, of: business)
                }
                if let contact { try await other.formUnion(conversations(of: contact)) }
            }
            found = found.map { $0.intersection(other) } ?? other
        }
        return found ?? []
    }

    private func conversations(
        ofCustomer name: String, in businesses: Set<BusinessID>
    ) async throws(Problem) -> Set<ConversationID> {
        var found: Set<ConversationID> = []
        if let id = ContactID(name) {
            let contact = try await asking { store throws(StoreError) in
                try await store.findContact(id)
            }
            if let contact, businesses.contains(contact.business) {
                try await found.formUnion(conversations(of: contact))
            }
        }
        guard let customer = CustomerID(name) else { return found }
        for business in businesses {
            let conversation = try await asking { store throws(StoreError) in
                try await store.findConversation(of: customer, with: business)
            }
            if let conversation { found.insert(conversation.id) }
        }
        return found
    }

    /// Those of a contact; one that was merged into another is looked up as that one.
    private func conversations(of contact: Contact) async throws(Problem) -> [ConversationID] {
        try await asking { store throws(StoreError) in
            var root = contact
            for _ in 0..<Contact.mostMerged {
                guard let next = root.merge?.into, let found = try await store.findContact(next)
                else { break }
                root = found
            }
            return try await store.contactTree(of: root.id)
        }.map { ConversationID($0.value) }
    }
}
