import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskTeam
import DeskWeb
import StoreSupport
import Testing

@testable import DeskAPI

/// A server that has several elements for each of its lists.
struct ListScene {
    /// A list of the API, and who reads it.
    struct List {
        let operation: String
        let path: String
        let reader: TestServer.Caller
        /// How many elements it has; nil where it is enough that they are several.
        let count: Int?
    }

    /// Templates that are always the same.
    private struct FiveTemplates: WhatsAppTemplateSource {
        let templates: [WhatsAppTemplate]

        init() throws {
            templates = try (1...5).map { number in
                // Of one name in two languages, both are elements.
                let text = """
                    {"name":"t\(number / 2)","language":"\(number.isMultiple(of: 2) ? "en" : "ja")",\
                    "status":"APPROVED","category":"UTILITY",\
                    "components":[{"type":"BODY","text":"Hi"}]}
                    """
                return try #require(
                    WhatsAppTemplate(try JSONDocument(parsing: Array(text.utf8)).root))
            }
        }

        func approved(
            of link: GatewayLink
        ) async throws(WhatsAppTemplateError) -> WhatsAppTemplateList {
            WhatsAppTemplateList(templates, isComplete: true)
        }

        func find(
            _ name: String, _ language: String, of link: GatewayLink
        ) async throws(WhatsAppTemplateError) -> WhatsAppTemplate? { nil }
    }

    let server: TestServer
    let owner: TestServer.Caller
    private(set) var lists: [List] = []
    private var shop: String { "/api/businesses/\(server.business.id)" }

    init() async throws {
        server = try await TestServer(whatsApp: try FiveTemplates())
        for name in ["One", "Two", "Three", "Four"] {
            try await server.store.save(
                Business(
                    id: BusinessID(server.services.broker.makeID()), name: name,
                    colour: "#336699", mode: server.business.mode, createdAt: server.time.now),
                author: .server)
        }
        owner = try await server.makeOwner()
        try await makeTeam()
        try await makeTools()
        try await makeThreads()
    }

    // MARK: Steps

    private mutating func note(
        _ operation: String, _ path: String, _ count: Int? = 5, by reader: TestServer.Caller? = nil
    ) {
        lists.append(
            List(operation: operation, path: path, reader: reader ?? owner, count: count))
    }

    /// Makes five of a thing, each a second after the other; their answers.
    @discardableResult
    private func five(
        at path: String, by caller: TestServer.Caller? = nil, status: Int = 201,
        _ body: (Int) -> String
    ) async throws -> [Answer] {
        var made: [Answer] = []
        for number in 1...5 {
            server.time.advance(by: .seconds(1))
            let answer = try await server.post(path, body(number), by: caller ?? owner)
            #expect(answer.status == status, "\(path): \(answer.text)")
            made.append(answer)
        }
        return made
    }

    private mutating func makeTeam() async throws {
        for number in 1...4 {
            _ = try await server.makeMember(
                "m\(number)@example.com", .agent, of: server.business, by: owner)
        }
        try await five(at: shop + "/members") {
            #"{"email":"open\#($0)@example.com","role":"agent"}"#
        }
        let keys = try await five(at: "/api/keys") {
            #"{"name":"k\#($0)","businesses":["\#(server.business.id)"]}"#
        }
        let used = TestServer.Caller.key(try #require(keys[0]["secret"]?.string))
        for _ in 1...5 { _ = try await server.get("/api/businesses", by: used) }
        let ids = keys.compactMap { $0["key"]?["id"]?.string }
        try await five(at: shop + "/bots") { #"{"name":"B\#($0)","key":"\#(ids[$0 - 1])"}"# }
        note("listBusinesses", "/api/businesses", 6)
        note("listMembers", shop + "/members")
        note("listPresence", shop + "/presence")
        note("listInvitations", shop + "/invitations")
        note("listBusinessKeys", shop + "/keys", 6)
        note("listKeys", "/api/keys", 6)
        note("listKeyRequests", "/api/keys/\(ids[0])/requests")
        note("listBots", shop + "/bots")
    }

    private mutating func makeTools() async throws {
        try await five(at: shop + "/labels") { ##"{"name":"L\##($0)","colour":"#CC0000"}"## }
        try await five(at: shop + "/teams") { ##"{"name":"T\##($0)","colour":"#CC0000"}"## }
        // All of one place and one name.
        try await five(at: shop + "/attributes") {
            #"{"of":"conversation","key":"k\#($0)","name":"Same","type":"text"}"#
        }
        try await five(at: shop + "/macros") {
            #"{"name":"M\#($0)","shared":true,"actions":[{"priority":"high"}]}"#
        }
        try await five(at: shop + "/rules") {
            #"{"name":"R\#($0)","when":"customerMessage","if":[],"then":[{"priority":"high"}]}"#
        }
        try await five(at: shop + "/links") { #"{"label":"W\#($0)"}"# }
        try await five(at: shop + "/webhooks") { #"{"url":"https://shop.example/hook\#($0)"}"# }
        try await five(at: "/api/views/saved") { #"{"name":"V\#($0)","filter":{}}"# }
        let business = server.business.id
        try await five(at: "/api/templates") {
            #"{"business":"\#(business)","name":"t\#($0)","title":"T","#
                + #""payload":{"type":"text","body":"x"}}"#
        }
        for number in 1...5 {
            server.time.advance(by: .seconds(1))
            let file = try await server.send(
                .post, "/api/attachments?business=\(business)&name=f\(number).bin",
                bytes: [UInt8(number), 1], by: owner)
            let id = try #require(file["id"]?.string)
            let added = try await server.post(
                shop + "/library", #"{"attachment":"\#(id)"}"#, by: owner)
            #expect(added.status == 201, "\(added.text)")
        }
        for _ in 1...3 {
            server.time.advance(by: .seconds(1))
            let begun = try await server.post("/api/sandbox/runs", "Aki says Hello", by: owner)
            #expect(begun.status == 201, "\(begun.text)")
        }
        for (operation, name) in [
            ("listLabels", "labels"), ("listTeams", "teams"), ("listAttributes", "attributes"),
            ("listMacros", "macros"), ("listRules", "rules"), ("listWebhooks", "webhooks"),
            ("listLibrary", "library"),
        ] { note(operation, "\(shop)/\(name)") }
        note("listEntryLinks", shop + "/links", 6)
        note("listSavedViews", "/api/views/saved")
        note("listTemplates", "/api/templates?business=\(business)")
        note("listScriptRuns", "/api/sandbox/runs", 3)
    }

    private mutating func makeThreads() async throws {
        for (name, body) in [
            ("registration", GatewayRouteTests.endpoint),
            ("whatsapp", #"{"phoneNumberId":"106","accessToken":"a","appSecret":"b"}"#),
        ] {
            let made = try await server.send(.put, "\(shop)/gateway/\(name)", body, by: owner)
            #expect(made.status == 201, "\(made.text)")
        }
        let services = server.services
        let rules = ReaderRunner(
            RuleReader(services.broker, host: RuleSurroundings(services)), of: services.broker)
        let lease = try await server.store.leaseOfTest()
        _ = try await rules.readOn(under: lease)
        let said = #","text":"Hello parcel","locale":"en_US"}"#
        let phone = "/api/phone/\(server.business.id)/messages"
        let first = try await server.post(phone, #"{"id":"\#(services.broker.makeID())"\#(said)"#)
        let customer = TestServer.Caller.customer(try #require(first.cookie("fdc")))
        let id = try #require(
            first["message"]?["conversation"]?.string.flatMap { ConversationID($0) })
        for _ in 2...5 {
            server.time.advance(by: .seconds(2))
            let more = try await server.post(
                phone, #"{"id":"\#(services.broker.makeID())"\#(said)"#, by: customer)
            #expect(more.status == 201)
        }
        var talks = [try #require(try await server.store.findConversation(id))]
        for _ in 2...5 {
            server.time.advance(by: .seconds(1))
            talks.append(try await server.makeConversation())
        }
        _ = try await rules.readOn(under: lease)
        try await makeDeliveries(of: id, under: lease)
        try await makeRemarks(in: talks)
        let index = try #require(services.search)
        var follower = SearchFollower(services: services, index: index)
        while await follower.step() == .zero {}
        note("listConversations", "/api/conversations?business=\(server.business.id)")
        note("listContacts", shop + "/contacts")
        note("listMessages", "/api/conversations/\(id)/messages")
        note("listPhoneMessages", phone, by: customer)
        note("listRuleLog", shop + "/rules/log", nil)
        note("listAuditRecords", shop + "/audit", nil)
        try await askForApprovals()
        note("listApprovals", shop + "/approvals")
        for talk in talks {
            let held = try await server.send(
                .put, "/api/conversations/\(talk.id)/legal-hold", #"{"reason":"Case 7"}"#,
                by: owner)
            #expect(held.status == 200, "\(held.text)")
        }
        note("listLegalHolds", shop + "/legal-holds")
        note("searchMessages", "/api/search?q=parcel&business=\(server.business.id)")
    }

    /// Five exports that wait for a second owner.
    private func askForApprovals() async throws {
        let shop = server.business.id
        let members = try await server.store.agents(of: shop)
        let other = try #require(members.last { $0.password != nil })
        try await server.store.setRole(.owner, of: other.id, in: shop, author: .server)
        func choose(_ areas: Set<ApprovalArea>) async throws {
            let rules = ApprovalRules(of: shop, areas: areas, changedAt: server.time.now)
            let before = try await server.store.approvalRules(of: shop)
            #expect(
                try await server.store.saveApprovalRules(rules, over: before, author: .server)
                    == .saved)
        }
        try await choose([.exports])
        for day in 1...5 {
            let refused = try await server.get(
                "/api/businesses/\(shop)/exports/notes?since=2026-01-0\(day)", by: owner)
            #expect(refused.code == "approval_needed")
        }
        try await choose([])
    }

    private mutating func makeDeliveries(of id: ConversationID, under lease: Lease) async throws {
        let link = try #require(server.services.links.find(.provider, of: server.business.id))
        let webhook = try #require(try await server.store.webhooks(of: server.business.id).first)
        let messages = try await server.store.messages(in: id, .newest, limit: 9).elements
        func deliveries(of outbox: OutboxID) -> [Delivery] {
            messages.map {
                Delivery(
                    outbox: outbox, position: $0.position, conversation: id, due: server.time.now)
            }
        }
        let last = try #require(messages.last)
        try await server.store.enqueue(
            deliveries(of: link.outbox), of: link.outbox, upTo: last.position, under: lease)
        try await server.store.advance(
            ReaderName("webhooks of the scene"), from: nil,
            to: EventID(epoch: server.store.epoch, position: last.position),
            storing: .webhooks(deliveries(of: webhook.outbox)), under: lease)
        for _ in 1...5 {
            _ = try await server.store.note(
                WireExchange(
                    link: link.id, business: link.business, conversation: id, message: nil,
                    course: .sent, time: server.time.now, milliseconds: 3, method: "POST",
                    target: "https://bots.example/shop/message",
                    request: .init(headers: [], body: Array("{}".utf8), byteCount: 2),
                    status: 200, answer: .init(headers: [], body: [], byteCount: 0),
                    findings: Array("[]".utf8)))
        }
        note("listMessageDeliveries", "/api/conversations/\(id)/deliveries")
        note("listDeliveries", shop + "/gateway/deliveries")
        note("listWebhookDeliveries", shop + "/webhooks/\(webhook.id.text)/deliveries")
        note("listExchanges", shop + "/gateway/exchanges")
        note("listWhatsAppTemplates", shop + "/gateway/whatsapp/templates")
    }

    private mutating func makeRemarks(in talks: [Conversation]) async throws {
        let path = "/api/conversations/\(talks[0].id)"
        let text = #"{"type":"text","body":"Your table is ready."}"#
        let due = server.time.now.advanced(by: .seconds(86_400)).text
        try await five(at: path + "/messages?sendAt=\(due)", status: 202) { _ in text }
        let key = try await server.makeKey([server.business])
        try await five(at: path + "/suggestions", by: key) {
            #"{"payload":{"type":"text","body":"S\#($0)"}}"#
        }
        for talk in talks {
            // All of one moment and one version.
            let saved = try await server.send(
                .put, "/api/conversations/\(talk.id)/draft",
                #"{"version":0,"kind":"text","text":"Good mor"}"#, by: owner)
            #expect(saved.status == 200, "\(saved.text)")
        }
        let contact = shop + "/contacts/\(talks[0].contact)/links"
        for business in try await server.store.businesses()
        where business.id != server.business.id && business.mode == server.business.mode {
            let other = try await server.makeConversation(business)
            let linked = try await server.send(.put, "\(contact)/\(other.contact)", by: owner)
            #expect(linked.status == 204, "\(linked.text)")
        }
        note("listScheduled", path + "/scheduled")
        note("listSuggestions", path + "/suggestions")
        note("listDrafts", "/api/drafts")
        note("listContactLinks", contact, 4)
    }
}
