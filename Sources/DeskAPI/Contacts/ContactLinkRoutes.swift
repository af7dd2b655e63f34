import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the links of contacts with those of other businesses.
    public mutating func addContactLinks() {
        let path = "/api/businesses/{business}/contacts/{contact}/links"
        add(
            .get, path, operation: "listContactLinks", permission: .linkContacts, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await ContactLinkRoutes(context).list() }
        add(
            .put, path + "/{other}", operation: "linkContact", permission: .linkContacts,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await ContactLinkRoutes(context).link(true) }
        add(
            .delete, path + "/{other}", operation: "unlinkContact", permission: .linkContacts,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await ContactLinkRoutes(context).link(false) }
    }
}

/// Answers the routes of `addContactLinks`: of other businesses only to who may do the same there now.
struct ContactLinkRoutes {
    /// A contact of another business, and why it is shown.
    private struct Linked {
        let contact: Contact
        /// What an agent said; nil where the verified external id joins the two.
        let link: ContactLink?
    }

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let contact = try await requireContact()
        let page = try context.page(of: try await linked(with: contact)) { $0.contact.id.text }
        let found = page.elements
        let authorNames = services.authorNames
        var shown: [(one: Linked, name: String, last: Conversation?)] = []
        for one in found {
            let business = try await services.requireBusiness(one.contact.business)
            shown.append((one, business.name, try await lastConversation(of: one.contact)))
        }
        let (authors, all) = (found.compactMap(\.link?.author), shown)
        try await services.asking { store throws(StoreError) in try await authorNames.load(authors)
        }
        return .json(
            JSONWriter.object { text in
                text.list(page, as: all) { text, shown in
                    let (one, business, last) = shown
                    text.object { text in
                        text.member("contact", one.contact.id.text)
                        text.member("business", one.contact.business.text)
                        text.member("businessName", business)
                        text.member("name", one.contact.name ?? last?.customer.name)
                        text.member("conversation", last?.id.text)
                        text.member("lastAt", last.map { $0.last?.time ?? $0.openedAt })
                        text.member("because", one.link == nil ? "external_id" : "agent")
                        text.member("by") { text in
                            guard let link = one.link else { return text.null() }
                            text.author(link.author, authorNames)
                        }
                        text.member("at", one.link?.time)
                    }
                }
            })
    }

    func link(_ isLinked: Bool) async throws(Problem) -> Response {
        let contact = try await requireContact()
        guard let id = context.request.parameters["other"].flatMap({ ContactID($0) }),
            let found = try await find(id), let other = try await root(of: found),
            try await reachable(from: contact).contains(other.business)
        else { throw .notFound }
        if !isLinked {
            let shown = try await linked(with: contact)
            guard shown.contains(where: { $0.contact.id == other.id }) else { throw .notFound }
        }
        let author = try context.requirePrincipal().author
        let permitted = context.permittedRoles
        _ = try await services.brokering { broker throws(BrokerError) in
            // Between contacts that were merged each link is parted by itself.
            try await broker.link(
                contact, with: other, isLinked: isLinked, permitted: permitted, by: author)
        }
        return Response(status: .noContent)
    }

    // MARK: Who is linked

    /// The contacts of other businesses that are linked with one, as the caller may see them now.
    private func linked(with contact: Contact) async throws(Problem) -> [Linked] {
        let businesses = try await reachable(from: contact)
        let (own, links) = try await services.asking { store throws(StoreError) in
            let own = try await store.contactTree(of: contact.id)
            return (Set(own), try await store.contactLinks(of: own))
        }
        var shown: [Linked] = []
        var parted: Set<ContactID> = []
        for link in links {
            let end = own.contains(link.one) ? link.other : link.one
            guard let found = try await find(end), let other = try await root(of: found),
                businesses.contains(other.business)
            else { continue }
            let place = shown.firstIndex { $0.contact.id == other.id }
            // Contacts that were merged may have several; what is said of the two themselves counts.
            let isOfThem = link.end(from: contact.id) == other.id
            guard isOfThem || (place == nil && !parted.contains(other.id)) else { continue }
            if let place { shown.remove(at: place) }
            parted.remove(other.id)
            if link.isLinked {
                shown.append(Linked(contact: other, link: link))
            } else {
                parted.insert(other.id)
            }
        }
        guard let id = contact.externalID, contact.isExternalIDVerified else { return shown }
        for business in businesses.sorted(by: { $0.text < $1.text }) {
            let other = try await services.asking { store throws(StoreError) in
                try await store.findContact(externalID: id, of: business)
            }
            guard let other, other.isExternalIDVerified, other.merge == nil,
                !parted.contains(other.id), !shown.contains(where: { $0.contact.id == other.id })
            else { continue }
            shown.append(Linked(contact: other, link: nil))
        }
        return shown
    }

    /// The other businesses of the contact's mode in which the caller may link contacts at this moment.
    private func reachable(from contact: Contact) async throws(Problem) -> Set<BusinessID> {
        let principal = try context.requireAgent()
        let permitted = services.permissions.roles(with: .linkContacts)
        let mode = try await services.requireBusiness(contact.business).mode
        var reachable: Set<BusinessID> = []
        for (business, role) in principal.roles
        where business != contact.business && permitted.contains(role) {
            if try await services.requireBusiness(business).mode == mode {
                reachable.insert(business)
            }
        }
        return reachable
    }

    /// The contact that stands for one; itself unless it was merged.
    private func root(of contact: Contact) async throws(Problem) -> Contact? {
        var root: Contact? = contact
        while let merge = root?.merge { root = try await find(merge.into) }
        return root
    }

    private func find(_ id: ContactID) async throws(Problem) -> Contact? {
        try await services.asking { store throws(StoreError) in try await store.findContact(id) }
    }

    private func lastConversation(of contact: Contact) async throws(Problem) -> Conversation? {
        try await services.asking { store throws(StoreError) in
            var last: Conversation?
            for id in try await store.contactTree(of: contact.id).prefix(Contact.mostMerged) {
                guard let one = try await store.findConversation(ConversationID(id.value)) else {
                    continue
                }
                if last.map({ $0.activity < one.activity }) ?? true { last = one }
            }
            return last
        }
    }

    /// The contact of the path, which stands for itself.
    private func requireContact() async throws(Problem) -> Contact {
        let business = try context.requireBusinessID()
        guard let id = context.request.parameters["contact"].flatMap({ ContactID($0) }),
            let found = try await find(id), found.business == business,
            let root = try await root(of: found)
        else { throw .notFound }
        return root
    }
}
