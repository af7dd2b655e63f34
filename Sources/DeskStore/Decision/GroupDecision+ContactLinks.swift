import DeskJSON
import DeskModel

extension GroupDecision {
    /// Links two contacts, or parts them; what is so already has no event.
    mutating func link(_ step: LinkContacts) throws(Undecided) -> ContactLink {
        let numbers = (try require(step.business), try require(step.otherBusiness))
        guard step.business != step.otherBusiness else { throw .refused(.notFound) }
        for business in [step.business, step.otherBusiness] {
            try requireMember(step.author, with: step.permitted, of: business)
        }
        let one = try requireRoot(step.contact, of: step.business)
        let other = try requireRoot(step.other, of: step.otherBusiness)
        let link = ContactLink(
            one.id, other.id, isLinked: step.isLinked, author: step.author, time: step.time)
        let links = (try links(of: one.id), try links(of: other.id))
        let known = links.0.first { $0.one == link.one && $0.other == link.other }
        if let known, known.isLinked == link.isLinked { return known }
        guard known != nil || max(links.0.count, links.1.count) < ContactLink.most else {
            throw .refused(.unusable)
        }
        for (contact, list) in [(one.id, links.0), (other.id, links.1)] {
            rows.contactLinks[contact] =
                list.filter { $0.one != link.one || $0.other != link.other } + [link]
        }
        changes.append(.contactLink(link))
        append(one, of: step, at: numbers.0)
        append(other, of: step, at: numbers.1)
        return link
    }

    /// Says in one business that the links of its contact changed, and nothing of the other business.
    private mutating func append(_ contact: Contact, of step: LinkContacts, at number: Int64) {
        changes.append(
            .registry(
                .contents(.linkContact(contact.id, of: contact.business, step.isLinked)),
                author: step.author))
        append(
            .contactLinksChanged, of: contact.business, beside: nil,
            .json(ContactText.links(of: contact, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
    }

    private func links(of contact: ContactID) throws(Undecided) -> [ContactLink] {
        guard let links = rows.contactLinks[contact] else {
            throw .needs(.contactLinks(of: contact))
        }
        return links
    }

    /// Goes on only where the author is a person with one of the roles in a business, in this commit.
    private func requireMember(
        _ author: Author, with permitted: Set<Role>, of business: BusinessID
    ) throws(Undecided) {
        guard case .agent(let agent) = author else { throw .refused(.notFound) }
        guard let member = rows.members[.init(agent: agent, business: business)] else {
            throw .needs(.member(agent, of: business))
        }
        guard let role = member.role, permitted.contains(role) else { throw .refused(.notFound) }
    }
}
