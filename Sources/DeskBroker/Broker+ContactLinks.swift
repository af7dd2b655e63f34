public import DeskModel
import DeskStore

extension Broker {
    /// Links two contacts of different businesses, or parts them, and says in both that their links changed.
    ///
    /// - Throws: `notFound`, `alreadyMerged` or `unusable` as refusals.
    public func link(
        _ contact: Contact, with other: Contact, isLinked: Bool, permitted: Set<Role>,
        by author: Author
    ) async throws(BrokerError) -> ContactLink {
        try await commit(
            LinkContacts(
                contact.id, of: contact.business, with: other.id, of: other.business,
                isLinked: isLinked, permitted: permitted, by: author, at: now()))
    }
}
