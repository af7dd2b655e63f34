public import DeskModel

/// What a business knows of the people who write to it.
public protocol ContactRegistry: Sendable {
    /// Finds a contact.
    func findContact(_ id: ContactID) async throws(StoreError) -> Contact?
    /// Lists the contacts that were merged into one, and into these, itself first.
    ///
    /// Limit: `Contact.mostMerged` and one more.
    func contactTree(of root: ContactID) async throws(StoreError) -> [ContactID]
    /// The links of some contacts, those that were parted included.
    func contactLinks(of contacts: [ContactID]) async throws(StoreError) -> [ContactLink]
    /// Finds the contact of a business that has an external id; compared as bytes.
    func findContact(
        externalID: String, of business: BusinessID
    ) async throws(StoreError) -> Contact?
    /// Lists a business's contacts, the newest first, without those merged into others.
    ///
    /// Limit: 300 a page.
    func contacts(
        of business: BusinessID, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<ListedContact>
}
