import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the holds that keep content from being erased.
    public mutating func addLegalHolds(limits: APILimits) {
        let business = "/api/businesses/{business}"
        add(
            .get, business + "/legal-holds", operation: "listLegalHolds",
            permission: .readHolds, business: .path, query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await LegalHoldRoutes(context).list() }
        add(
            .put, business + "/legal-hold", operation: "holdBusiness",
            permission: .manageHolds, business: .path, bodyLimit: limits.recordBytes,
            rate: .write
        ) { context async throws(Problem) in
            try await LegalHoldRoutes(context).place(on: .business)
        }
        add(
            .delete, business + "/legal-hold", operation: "releaseBusinessHold",
            permission: .manageHolds, business: .path, rate: .write
        ) { context async throws(Problem) in
            try await LegalHoldRoutes(context).release(.business)
        }
        let contact = business + "/contacts/{contact}/legal-hold"
        add(
            .get, contact, operation: "getLegalHoldOfContact", permission: .readHolds,
            business: .path
        ) { context async throws(Problem) in try await LegalHoldRoutes(context).get(.contact) }
        add(
            .put, contact, operation: "holdContact", permission: .manageHolds,
            business: .path, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in
            try await LegalHoldRoutes(context).place(on: .contact)
        }
        add(
            .delete, contact, operation: "releaseContactHold", permission: .manageHolds,
            business: .path, rate: .write
        ) { context async throws(Problem) in
            try await LegalHoldRoutes(context).release(.contact)
        }
        addConversationHolds("/api/conversations/{conversation}/legal-hold", limits)
    }

    private mutating func addConversationHolds(_ path: String, _ limits: APILimits) {
        add(
            .get, path, operation: "getLegalHold", permission: .readHolds,
            business: .conversation
        ) { context async throws(Problem) in try await LegalHoldRoutes(context).get(.conversation) }
        add(
            .put, path, operation: "holdConversation", permission: .manageHolds,
            business: .conversation, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in
            try await LegalHoldRoutes(context).place(on: .conversation)
        }
        add(
            .delete, path, operation: "releaseConversationHold", permission: .manageHolds,
            business: .conversation, rate: .write
        ) { context async throws(Problem) in
            try await LegalHoldRoutes(context).release(.conversation)
        }
    }
}

/// Answers the routes of `addLegalHolds`.
struct LegalHoldRoutes {
    /// What a path names.
    enum Scope {
        case conversation, contact, business

        /// The operation that releases it.
        var release: GuardedOperation {
            switch self {
            case .conversation: .releaseConversationHold
            case .contact: .releaseContactHold
            case .business: .releaseBusinessHold
            }
        }
    }

    /// What a request is about.
    private struct Target {
        let business: BusinessID
        let subjects: [LegalHold.Subject]

        /// The conversations, none where all of the business is kept.
        var conversations: [ConversationID] { subjects.compactMap(\.conversation) }
    }

    private static let (pageSize, pageSizeMost) = (50, 100)

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    // MARK: Reading

    func list() async throws(Problem) -> Response {
        let query = context.request.query
        let business = try context.requireBusinessID()
        let size = try query.pageSize(usual: Self.pageSize, most: Self.pageSizeMost)
        let edge = try query.pageEdge { DecimalText.number($0).map { Int64($0) } }
        let names = services.authorNames
        let (whole, page, people) = try await services.asking { store throws(StoreError) in
            let whole = try await store.legalHolds(on: [], of: business).first
            let page = try await store.legalHolds(of: business, at: edge, limit: size)
            var people: [ConversationID: Conversation] = [:]
            for id in page.elements.compactMap(\.subject.conversation) {
                people[id] = try await store.findConversation(id)
            }
            try await names.load((page.elements + [whole].compactMap(\.self)).map(\.author))
            return (whole, page, people)
        }
        let found = page.elements
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.member("business") { $0.legalHold(whole, names) }
                text.member("data") { text in
                    text.array { text in
                        for one in found {
                            let id = one.subject.conversation
                            text.legalHold(one, names, of: id.flatMap { people[$0] })
                        }
                    }
                }
                text.page(
                    edge, hasMore: page.hasMore, first: found.first.map { String($0.number) },
                    last: found.last.map { String($0.number) })
            })
    }

    func get(_ scope: Scope) async throws(Problem) -> Response {
        try await answer(try await target(scope))
    }

    // MARK: Placing and releasing

    func place(on scope: Scope) async throws(Problem) -> Response {
        let target = try await target(scope)
        var fields = try Fields(try await context.jsonBytes())
        let reason = fields.text("reason", characters: 1...LegalHold.reasonCharacters)
        if reason == nil {
            _ = fields.requireValue("reason")
        } else if reason?.unicodeScalars.allSatisfy(\.properties.isWhitespace) == true {
            fields.note(
                "reason", "a text that can be seen",
                "Say why the content is kept, such as with the number of a case.")
        }
        try fields.finish()
        let (author, words) = (try context.requirePrincipal().author, reason ?? "")
        let count: Int
        do throws(BrokerError) {
            count = try await services.broker.placeHolds(
                on: target.subjects, of: target.business, reason: words, by: author)
        } catch {
            throw problem(error)
        }
        if count > 0 { log("legal_hold_placed", target, count) }
        return try await answer(target)
    }

    func release(_ scope: Scope) async throws(Problem) -> Response {
        let target = try await target(scope)
        let author = try context.requirePrincipal().author
        let held = try await holds(of: target)
        let isThere = held.contains { target.subjects.contains($0.subject) }
        if isThere {
            try await context.requireApproval(
                of: scope.release, in: [target.business],
                about: target.subjects.map(\.id.text))
        }
        let count: Int
        do throws(BrokerError) {
            count = try await services.broker.releaseHolds(
                on: target.subjects, of: target.business, by: author)
        } catch {
            throw problem(error)
        }
        if count > 0 { log("legal_hold_released", target, count) }
        return Response(status: .noContent)
    }

    private func problem(_ error: BrokerError) -> Problem {
        switch error {
        case .refused(.unusable):
            Problem(
                .invalid,
                "The business has \(LegalHold.most) legal holds, which is the most. Release some, or place one on the "
                    + "whole business.")
        case .refused(let refusal): Problem(refusal)
        case .store(let failure): services.problem(failure)
        }
    }

    private func log(_ event: StaticString, _ target: Target, _ count: Int) {
        context.log.info(
            event, ["business": .text(target.business.text), "holds": .number(count)])
    }

    private func target(_ scope: Scope) async throws(Problem) -> Target {
        switch scope {
        case .conversation:
            let conversation = try context.requireConversation()
            return Target(
                business: conversation.business, subjects: [.conversation(conversation.id)])
        case .business:
            let business = try context.requireBusinessID()
            return Target(business: business, subjects: [.business(business)])
        case .contact:
            let contact = try await context.requireRootContact()
            let tree = try await services.asking { store throws(StoreError) in
                try await store.contactTree(of: contact.id)
            }
            return Target(
                business: contact.business,
                subjects: tree.map { .conversation(ConversationID($0.value)) })
        }
    }

    private func holds(of target: Target) async throws(Problem) -> [LegalHold] {
        try await services.asking { store throws(StoreError) in
            try await store.legalHolds(on: target.conversations, of: target.business)
        }
    }

    /// What keeps the content: the hold on the business, and that on the conversation or on one of the person's.
    private func answer(_ target: Target) async throws(Problem) -> Response {
        let found = try await holds(of: target)
        let names = services.authorNames
        try await services.asking { _ throws(StoreError) in
            try await names.load(found.map(\.author))
        }
        return .json(
            JSONWriter.object { text in
                text.member("business") { text in
                    text.legalHold(found.first { $0.subject.conversation == nil }, names)
                }
                text.member("conversation") { text in
                    text.legalHold(found.first { $0.subject.conversation != nil }, names)
                }
            })
    }
}

extension RoutedRequest where Services == DeskAPI.Services {
    /// Refuses what would be refused when it is carried out, before a second person is asked: erasing what is kept.
    func requireNoHold(
        on conversations: [ConversationID], of business: BusinessID
    ) async throws(Problem) {
        let held = try await services.asking { store throws(StoreError) in
            try await store.legalHolds(on: conversations, of: business)
        }
        guard held.isEmpty else { throw Problem(Refusal.onHold) }
    }
}

extension JSONWriter {
    /// Writes a hold, with what lists call its conversation; null for none.
    fileprivate mutating func legalHold(
        _ hold: LegalHold?, _ names: AuthorNames, of conversation: Conversation? = nil
    ) {
        guard let hold else { return null() }
        object { text in
            text.member("reason", hold.reason)
            text.member("author") { $0.author(hold.author, names) }
            text.member("placedAt", hold.placedAt)
            guard let id = hold.subject.conversation else { return }
            text.member("conversation", id.text)
            guard let conversation else { return }
            text.member("customer") { text in
                text.object {
                    $0.member("id", conversation.customer.id.text)
                    $0.member("name", conversation.customer.name)
                }
            }
            text.member("contact") { text in
                text.object {
                    $0.member("id", conversation.contact.text)
                    $0.member("name", conversation.contactName)
                }
            }
        }
    }
}
