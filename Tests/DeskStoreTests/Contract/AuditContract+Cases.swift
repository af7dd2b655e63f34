import DeskModel
import DeskSQL
import DeskStore
import DeskStoreSQLite
import StoreSupport

extension AuditContract {
    static let me = Author.agent(agent(1))
    static let device = Author.customer(device: "")
    static let use = AttachmentUse(
        id: AttachmentID(.sha256([1])), name: "a", mediaType: "image/png", byteCount: 1)
    static let link = GatewayLink(
        id: GatewayLinkID(uniqueID(60)), business: business(1), side: .provider, mspID: "m",
        secret: [1], url: "https://provider.example", createdAt: dawn)

    static let run = ScriptRunRow(id: ScriptRunID(uniqueID(70)), start: dawn, document: [1])
    static let webhook = WebhookContract.webhook(1)
    static let delivery = Delivery(
        outbox: link.outbox, position: Position(1), conversation: nil, due: dawn)

    /// Adds a mention as a note's step does; the entry stands for the step.
    private static func mention(
        _ agent: AgentID, in store: any SQLRegistries
    ) async throws {
        let note = Note(
            id: NoteID(uniqueID(1)), time: dawn, author: me, text: "", afterSequence: .start,
            mentions: [agent])
        try await store.writeRegistry { sql, entries throws(StoreError) in
            try Mentions.replace(of: note, in: conversation(1), of: business(1), on: sql)
            entries.append(RegistryEntry(.contents(.useCode), by: .agent(agent), at: dawn))
        }
    }

    /// One change or more, and the author of the records that they have to leave.
    struct Case: Sendable {
        let changes: [RegistryChange]
        let author: Author
        let make: @Sendable (any SQLRegistries) async throws -> Void

        init(
            _ change: RegistryChange, _ author: Author = me, and more: [RegistryChange] = [],
            _ make: @escaping @Sendable (any SQLRegistries) async throws -> Void
        ) {
            changes = [change] + more
            self.author = author
            self.make = make
        }
    }

    private static let people: [Case] = [
        Case(.people(.saveBusiness(business(1)))) {
            let shop = Business(
                id: business(1), name: "S", colour: "#336699", mode: .live, createdAt: dawn)
            try await $0.save(shop, author: me)
        },
        Case(.people(.saveBusiness(business(1)))) {
            _ = try await $0.changeBusiness(business(1), author: me) { $0.colour = "#336698" }
        },
        Case(.people(.saveEntryLink("l", of: business(1)))) {
            let link = EntryLink(id: "l", business: business(1), label: "L")
            try await $0.save(link, author: me)
        },
        Case(.people(.removeEntryLink("l", of: business(1)))) {
            _ = try await $0.removeEntryLink("l", of: business(1), author: me)
        },
        Case(.people(.addFirstOwner(agent(1)))) {
            _ = try await $0.addFirstOwner(person(1))
        },
        Case(.people(.saveAgent(agent(2))), .server) {
            try await $0.save(person(2), author: .server)
        },
        Case(.people(.chooseAvailability(of: agent(2))), .agent(agent(2))) {
            _ = try await $0.choose(.busy, by: agent(2))
        },
        Case(.people(.setRole(.owner, of: agent(2), in: business(1)))) {
            try await $0.setRole(.owner, of: agent(2), in: business(1), author: me)
        },
        Case(.people(.addInvitation(InvitationContract.invitation(1).id, to: business(1)))) {
            try await $0.add(InvitationContract.invitation(1))
        },
        Case(
            .people(
                .acceptInvitation(
                    InvitationContract.invitation(1).id, to: business(1), by: agent(5))),
            .agent(agent(5))
        ) {
            _ = try await $0.accept(.sha256([1]), by: .new(person(5), beside: []), at: dawn)
        },
        Case(.people(.addInvitation(InvitationContract.invitation(2).id, to: business(1)))) {
            try await $0.add(InvitationContract.invitation(2))
        },
        Case(.people(.removeInvitation(InvitationContract.invitation(2).id, to: business(1)))) {
            _ = try await $0.removeInvitation(
                InvitationContract.invitation(2).id, of: business(1), author: me)
        },
        Case(.people(.pruneInvitations(before: dawn)), .server) {
            try await $0.pruneInvitations(before: dawn)
        },
        Case(.people(.savePreferences(of: agent(1))), .agent(agent(1))) {
            _ = try await $0.changePreferences(of: agent(1)) { $0.sendDelay = 5 }
        },
        Case(.people(.rememberDevice(of: agent(1)))) {
            try await $0.rememberDevice(.sha256([1]), of: agent(1), at: dawn, atMost: 1)
        },
        Case(.people(.forgetDevices(of: agent(1))), .agent(agent(2))) {
            try await $0.forgetDevices(of: agent(1), author: .agent(agent(2)))
        },
        Case(.people(.pruneDevices(before: dawn)), .server) {
            try await $0.pruneDevices(before: dawn)
        },
        Case(.people(.saveBusiness(business(70))), .server) {
            let sandbox = Business(
                id: business(70), name: "T", colour: "#336699", mode: .test, isSandbox: true,
                createdAt: dawn)
            _ = try await $0.beginBusinesses(sandbox, sandbox: sandbox)
        },
    ]

    private static let credentials: [Case] = [
        Case(.credentials(.addKey(KeyID(uniqueID(7))))) {
            try await $0.add(
                APIKey(
                    id: KeyID(uniqueID(7)), name: "k", secret: .sha256([1]), mode: .live,
                    businesses: [business(1)], maker: agent(1), createdAt: dawn), author: me)
        },
        Case(
            .credentials(.confirmGrant(of: KeyID(uniqueID(7)), for: business(1))), .agent(agent(2))
        ) {
            _ = try await $0.confirmGrant(
                of: KeyID(uniqueID(7)), for: business(1), by: agent(2), at: dawn)
        },
        Case(.credentials(.touchKey(KeyID(uniqueID(7)))), .key(KeyID(uniqueID(7)))) {
            try await $0.touchKey(KeyID(uniqueID(7)), at: dawn)
        },
        Case(.credentials(.replaceKey(KeyID(uniqueID(7)), by: KeyID(uniqueID(8))))) {
            let next = APIKey(
                id: KeyID(uniqueID(8)), name: "k", secret: .sha256([8]), mode: .live,
                businesses: [business(1)], predecessor: KeyID(uniqueID(7)), createdAt: dawn)
            _ = try await $0.replace(
                KeyID(uniqueID(7)), by: next, end: dawn, author: me, permitted: [])
        },
        Case(.credentials(.noteKeyRequests), .server) {
            try await $0.note([KeyID(uniqueID(8)): []])
        },
        Case(.credentials(.noteKeyRequests), .server) {
            try await $0.pruneKeyRequests(before: dawn)
        },
        Case(.credentials(.removeGrant(of: KeyID(uniqueID(7)), for: business(1)))) {
            _ = try await $0.removeGrant(of: KeyID(uniqueID(7)), for: business(1), author: me)
        },
        Case(.credentials(.revokeKey(KeyID(uniqueID(7)))), .server) {
            _ = try await $0.revokeKey(KeyID(uniqueID(7)), at: dawn, author: .server)
        },
        Case(.credentials(.addSession(of: .agent(agent(1))))) {
            let session = Session(
                token: .sha256([1]), subject: .agent(agent(1)), createdAt: dawn, expiresAt: dawn)
            try await $0.add(session, author: me)
        },
        Case(.credentials(.touchSession(.sha256([1])))) {
            try await $0.touchSession(.sha256([1]), at: dawn, until: dawn, author: me)
        },
        Case(.credentials(.shortenSessions(of: .agent(agent(1))))) {
            try await $0.shortenSessions(
                of: .agent(agent(1)), except: .sha256([1]), until: dawn, author: me)
        },
        Case(.credentials(.takeSession(.sha256([1]), of: .agent(agent(1))))) {
            _ = try await $0.takeSession(.sha256([1]), author: me)
        },
        Case(.credentials(.addSession(of: .setup)), .command) {
            let link = Session(
                token: .sha256([2]), subject: .setup, createdAt: dawn, expiresAt: dawn)
            try await $0.add(link, author: .command)
        },
        Case(.credentials(.endSessions(of: .setup)), .command) {
            try await $0.endSessions(of: .setup, author: .command)
        },
        Case(.credentials(.pruneSessions(before: dawn)), .server) {
            try await $0.pruneSessions(before: dawn)
        },
        Case(.credentials(.addJoinCode("c", of: business(1))), .script("sandbox")) {
            let code = JoinCode(
                id: "c", business: business(1), link: .sha256([1]), locator: "A",
                typed: .sha256([2]), createdAt: dawn,
                expiresAt: dawn.advanced(by: .seconds(9)), uses: 1)
            try await $0.add(code, author: .script("sandbox"))
        },
        Case(.credentials(.typeJoinCode), device) {
            _ = try await $0.typeJoinCode(locator: "A", typed: .sha256([3]), at: dawn)
        },
        Case(.credentials(.pruneJoinCodes(before: dawn)), .server) {
            try await $0.pruneJoinCodes(before: dawn)
        },
    ]

    private static let contents: [Case] = [
        Case(.contents(.holdAttachment(use.id, by: .business(business(1))))) {
            try await $0.hold(use, by: .business(business(1)), at: dawn, author: me)
        },
        Case(.contents(.expireUploads(before: dawn)), .server) {
            _ = try await $0.expireUploads(before: dawn)
        },
        Case(.contents(.forgetUploads), .server) { try await $0.forgetUploads(of: [use.id]) },
        Case(.contents(.beginAnswer), .server, and: [.contents(.giveUpAnswer)]) {
            let lease = try await $0.leaseOfTest()
            _ = try await $0.beginAnswer("t", to: .sha256([1]), under: lease, at: dawn)
            try await $0.giveUpAnswer("t", under: lease)
        },
        Case(.contents(.beginAnswer), .server, and: [.contents(.rememberAnswer)]) {
            let lease = try await $0.leaseOfTest()
            _ = try await $0.beginAnswer("s", to: .sha256([1]), under: lease, at: dawn)
            try await $0.finish(
                RememberedAnswer(
                    scope: "s", body: .sha256([1]), content: .answer(status: 200, body: []),
                    time: dawn), under: lease)
        },
        Case(.contents(.pruneAnswers(before: dawn)), .server) {
            try await $0.pruneAnswers(before: dawn)
        },
        Case(.contents(.saveDraft(of: agent(1), in: conversation(1))), .agent(agent(1))) {
            _ = try await $0.save(DraftContract.draft(1), over: 0, atMost: 9)
        },
        Case(.contents(.removeDraft(of: agent(1), in: conversation(1))), .agent(agent(1))) {
            _ = try await $0.removeDraft(of: agent(1), in: conversation(1), version: nil)
        },
        Case(.contents(.pruneDrafts(before: dawn)), .server) {
            try await $0.pruneDrafts(before: dawn)
        },
        Case(.contents(.pruneSuggestions(before: dawn)), .server) {
            try await $0.pruneSuggestions(before: dawn)
        },
        Case(
            .contents(.useCode), .agent(agent(2)),
            and: [.contents(.seeMentions(in: conversation(1)))]
        ) {
            try await mention(agent(2), in: $0)
            _ = try await $0.markMentionsSeen(by: agent(2), in: conversation(1), at: dawn)
        },
        Case(.contents(.pruneDueWork(before: dawn)), .server) {
            try await $0.pruneDueWork(dueBefore: dawn)
        },
        Case(.contents(.saveMacro(MacroID(uniqueID(80)), of: business(1)))) {
            _ = try await $0.save(MacroContract.macro(80), author: me)
        },
        Case(.contents(.saveMacro(MacroID(uniqueID(80)), of: business(1)))) {
            let macro = MacroContract.macro(80)
            _ = try await $0.save(macro, over: macro, author: me)
        },
        Case(.contents(.replayReader(ReaderName("r"))), .command) {
            try await $0.forgetCursor(of: ReaderName("r"), author: .command)
        },
        Case(.contents(.advanceReader(ReaderName("r"))), .server) {
            try await $0.advance(
                ReaderName("r"), from: nil, to: EventID(epoch: Epoch(1), position: .start),
                storing: .nothing, under: try await $0.leaseOfTest())
        },
        Case(.contents(.changeScriptRun(run.id)), .server) {
            let lease = try await $0.leaseOfTest()
            _ = try await $0.beginScriptRun(run, of: [], atMost: 4, under: lease)
        },
        Case(.contents(.changeScriptRun(run.id)), .server) {
            let lease = try await $0.leaseOfTest()
            try await $0.updateScriptRun(run.id, to: [2], under: lease)
        },
        Case(.contents(.changeScriptRun(run.id)), .server) {
            _ = try await $0.askScriptRun(run.id, for: .stop)
        },
        Case(.contents(.changeScriptRun(run.id)), .server) {
            let lease = try await $0.leaseOfTest()
            try await $0.endScriptRun(run.id, as: [3], at: dawn, keeping: 9, under: lease)
        },
        Case(.contents(.setSetting("a")), .server) {
            try await $0.setSetting("a", to: [1], author: .server)
        },
        Case(.contents(.setSetting("b"))) { try await $0.setSetting("b", to: [1], author: me) },
        Case(.contents(.makeSecret(.joinCodes)), .server) {
            _ = try await $0.requireSecret(.joinCodes)
        },
        Case(.contents(.useCode), .server) {
            _ = try await $0.useCode(.sha256([1]), until: dawn)
        },
        Case(.contents(.pruneUsedCodes(before: dawn)), .server) {
            try await $0.pruneUsedCodes(before: dawn)
        },
        Case(.contents(.exportTable("messages", of: business(1)))) {
            try await $0.noteExport(of: "messages", in: business(1), author: me)
        },
        Case(.contents(.pruneAudit(before: dawn)), .server) {
            try await $0.pruneAudit(before: dawn)
        },
    ]

    private static let links: [Case] = [
        Case(.links(.saveLink(link.id, of: business(1)))) {
            _ = try await $0.save(link, author: me)
        },
        Case(.links(.saveLink(link.id, of: business(1)))) {
            _ = try await $0.save(link, over: link, author: me)
        },
        Case(.links(.openOutbox(OutboxID(uniqueID(61)))), .server) {
            try await $0.openOutbox(OutboxID(uniqueID(61)), after: .start, author: .server)
        },
        Case(.links(.enqueue(of: link.outbox)), .server) {
            let lease = try await $0.leaseOfTest()
            try await $0.enqueue([delivery], of: link.outbox, upTo: Position(1), under: lease)
        },
        Case(
            .links(.claim(of: link.outbox)), .server,
            and: [.links(.settleDelivery(of: link.outbox, at: Position(1)))]
        ) {
            let lease = try await $0.leaseOfTest()
            _ = try await $0.claim([Position(1)], of: link.outbox, under: lease)
            var dead = delivery
            dead.state = .dead
            _ = try await $0.settle(dead, under: lease)
        },
        Case(.links(.requeue(of: link.outbox, count: 1))) {
            _ = try await $0.requeue(
                Position(1)...Position(2), of: link.outbox, due: dawn.advanced(by: .seconds(9)),
                author: me)
        },
        Case(.links(.noteReceipt(of: link.outbox, at: Position(1))), .server) {
            _ = try await $0.noteReceipt(
                .sent, of: "n", because: nil, at: Position(1), of: link.outbox,
                time: dawn.advanced(by: .seconds(9)))
        },
        Case(.links(.reschedule(of: link.outbox))) {
            try await $0.reschedule(attempts: 0, of: link.outbox, to: dawn, author: me)
        },
        Case(.links(.pruneDeliveries), .server) {
            try await $0.pruneDeliveries(deliveredBefore: dawn, deadBefore: dawn)
        },
        Case(.links(.noteExchange(over: link.id, of: business(1))), .server) {
            _ = try await $0.note(
                WireExchange(
                    link: link.id, business: business(1), conversation: nil, message: nil,
                    course: .received, time: dawn, milliseconds: 1, method: "GET", target: "/",
                    request: .init(headers: [], body: [], byteCount: 0), status: 200,
                    answer: .init(headers: [], body: [], byteCount: 0), findings: []))
        },
        Case(.links(.closeOutbox(link.outbox))) {
            try await $0.closeOutbox(link.outbox, author: me)
        },
        Case(.links(.removeLink(link.id, of: link.business))) {
            _ = try await $0.removeGatewayLink(link.id, author: me)
        },
        Case(.links(.saveObject("o", of: business(1))), .provider("m")) {
            try await $0.save(
                MMCSObject(
                    id: "o", business: business(1), content: use.id, key: nil, byteCount: 1,
                    signature: [1], createdAt: dawn), author: .provider("m"))
        },
        Case(.links(.pruneObjects(before: dawn)), .server) {
            _ = try await $0.pruneMMCSObjects(before: dawn)
        },
        Case(.contents(.saveWidget(of: business(1)))) {
            try await $0.saveWidget(settings: [0x7B, 0x7D], of: business(1), author: me)
        },
        Case(.contents(.makeWidgetSecret(uniqueID(71), of: business(1)))) {
            try await $0.addWidgetSecret(
                WidgetSecret(id: uniqueID(71), bytes: [0x61], madeAt: dawn), of: business(1),
                author: me)
        },
        Case(.contents(.removeWidgetSecret(uniqueID(71), of: business(1)))) {
            _ = try await $0.removeWidgetSecret(uniqueID(71), of: business(1), author: me)
        },
        Case(.links(.saveWebhook(webhook.id, of: webhook.business))) {
            _ = try await $0.add(webhook, author: me)
        },
        Case(.links(.noteHandshake(webhook.id))) {
            let probe = WebhookProbe(status: 200, detail: "accepted", milliseconds: 1)
            _ = try await $0.note(
                WebhookHandshake(time: dawn, signed: probe, forged: probe), of: webhook.id,
                author: me)
        },
        Case(.links(.settleWebhooks), .server) {
            try await $0.settle([], [webhook.id: .recovered], under: try await $0.leaseOfTest())
        },
        Case(.links(.requeue(of: webhook.outbox, count: 1))) {
            let missed = Delivery(
                outbox: webhook.outbox, position: Position(1), conversation: nil, due: dawn)
            _ = try await $0.replay([missed], of: webhook.outbox, author: me)
        },
        Case(.links(.removeDeliveries(of: webhook.outbox)), .server) {
            _ = try await $0.removeDeliveries(of: webhook.outbox)
        },
        Case(.links(.removeWebhook(webhook.id, of: webhook.business))) {
            _ = try await $0.remove(webhook.id, author: me)
        },
    ]

    static func person(_ number: UInt64) -> Agent {
        Agent(
            id: agent(number), name: "N", email: number == 5 ? "new@example.com" : "n@example.com",
            password: "scrypt", createdAt: dawn)
    }

    static let cases =
        people + identities + signIns + credentials + contents + links + retention + push
}
