package import DeskModel
package import DeskStore
package import DeskStoreSQLite
import FoundationEssentials
import TestSupport

/// A store with something of everything.
package enum FilledStore {
    package static let dawn = Timestamp(seconds: 1_800_000_000)
    package static let shop = BusinessID(UniqueID(high: 0xB, low: 1))
    package static let agent = AgentID(UniqueID(high: 0xA, low: 1))
    /// Every secret that a store can hold, as it would be in a text.
    package static let canaries = [
        "scrypt$canary", "canary-setting", "canary-link-secret", "canary-code",
    ]
    /// Digests of secrets.
    package static let secrets = ["canary-key", "canary-session", "canary-link", "canary-typed"]
        .map { Digest.sha256(Array($0.utf8)) }

    /// A payload whose every byte matters: escapes that need not be, numbers that could be shorter.
    package static let payload =
        "{\"v\": 1.0, \"text\":\"\\u914d\\/送 \u{2028}👩‍👩‍👧 \\\"x\\\"\\n\",\n\t\"n\":-0}"

    /// An attachment of several lines, no two the same.
    package static let longFile = (0..<120_000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 256) }

    /// A key's name, and what it is limited to.
    package static let key = KeyID(UniqueID(high: 0xE, low: 1))
    package static let limits = KeyLimits(
        scopes: ["read"], addresses: ["192.0.2.0/24"], expiresAt: dawn.advanced(by: .seconds(9)))

    private static let label = LabelID(UniqueID(high: 0x1A, low: 1))
    private static let team = TeamID(UniqueID(high: 0x1B, low: 1))
    private static let hours = #"{"timeZone":"Asia/Tokyo","week":{},"holidays":[]}"#

    package static func conversation(_ number: UInt64) -> ConversationID {
        ConversationID(UniqueID(high: 0xC, low: number))
    }

    /// Fills a directory and leaves the store open.
    package static func make(in directory: String, messages: Int = 70) async throws -> SQLiteStore {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(1))
        try await fill(
            store, DirectoryBlobStore(directory: directory + "/blobs"), messages: messages)
        return store
    }

    /// A note that only SQLite can hold: PostgreSQL has no texts with U+0000.
    package static let noteOfSQLite = "折り返し電話\u{0}"

    /// Fills a store that has nothing yet.
    package static func fill(
        _ store: any Store, _ blobs: any BlobStore, messages: Int = 70,
        note: String = noteOfSQLite
    ) async throws {
        store.follow { _ in }
        let picture = try await blobs.store(Array("a picture".utf8))
        let long = try await blobs.store(longFile)
        try await addServer(to: store, picture: picture)
        let use = AttachmentUse(
            id: long.id, name: "配送.png", mediaType: "image/png", byteCount: long.byteCount)
        for number in 1...3 {
            let id = try required(CustomerID("urn:mbid:AAA\(number)="))
            _ = try await store.append([
                [
                    .open(
                        OpenConversation(
                            conversation(UInt64(number)), business: shop,
                            customer: Customer(
                                id: id, name: number == 1 ? "田中" : nil, locale: "ja_JP",
                                capabilities: number == 1 ? [] : nil, intent: "order"), at: dawn))
                ]
            ])
        }
        for number in 1...messages {
            var group = [try message(number, use)]
            if number == 9 { group.insert(try settled, at: 0) }
            _ = try await store.append([group])
        }
        var values = SaveLabel.Values()
        values.name = "急ぎ \"VIP\""
        values.colour = "#cc0000"
        _ = try await store.append(
            SaveLabel(label, of: shop, isNew: true, values, by: .agent(agent), at: dawn))
        _ = try await store.append(
            SaveServiceLevels(
                Array(#"{"firstAnswer":{"none":5}}"#.utf8), of: shop, event: [0x7B, 0x7D],
                by: .agent(agent), at: dawn))
        _ = try await store.append(
            SaveSatisfaction(
                StoredSatisfaction(
                    SatisfactionPlan(delayMinutes: 5), Array(#"{"isOn":true}"#.utf8)), of: shop,
                event: Array("{}".utf8), by: .agent(agent), at: dawn))
        try await store.saveWidget(
            settings: Array(#"{"label":"相談 \"x\""}"#.utf8), of: shop, author: .agent(agent))
        _ = try await store.setRetention(ofDays: 400, of: shop, at: dawn, author: .agent(agent))
        _ = try await store.append(
            PlaceLegalHolds(
                on: [.conversation(conversation(3))], of: shop, reason: "訴", by: .server, at: dawn))
        let view = SavedView(
            id: SavedViewID(UniqueID(high: 0x5A, low: 1)), business: shop, owner: agent,
            name: "急ぎ", filter: Array(#"{"text":"配送 \"x\""}"#.utf8), order: 2)
        _ = try await store.append(SaveView(view, isNew: true, by: .agent(agent), at: dawn))
        _ = try await store.append(
            AddLibraryFile(
                LibraryFile(
                    id: LibraryFileID(UniqueID(high: 0x1B, low: 1)), business: shop,
                    use: AttachmentUse(
                        id: long.id, name: "価格 \"表\".png", mediaType: "image/png",
                        byteCount: long.byteCount), width: 4, height: 3, author: .agent(agent),
                    addedAt: dawn)))
        var grouped = SaveTeam.Values()
        grouped.name = "夜間 \"Night\""
        grouped.colour = "#003366"
        grouped.members = [agent]
        _ = try await store.append(
            SaveTeam(
                team, of: shop, isNew: true, grouped, permitted: [.owner],
                by: .agent(agent), at: dawn))
        _ = try await store.append(
            SaveHours(
                of: shop, for: nil, Array(hours.utf8), event: Array("{\"hours\":\(hours)}".utf8),
                by: .agent(agent), at: dawn))
        _ = try await store.append(
            SaveHours(
                of: shop, for: team, Array(hours.utf8), event: Array("{}".utf8),
                by: .agent(agent), at: dawn))
        for (of, rule) in [
            (nil, AssignmentRule(.leastBusy, isSticky: true, capacity: 5, giveBackMinutes: 15)),
            (team, AssignmentRule(.roundRobin)),
        ] {
            _ = try await store.append(
                SaveAssignment(
                    of: shop, for: of,
                    StoredAssignment(
                        of: shop, for: of, rule, capacities: of == nil ? [agent: 3] : [:]),
                    event: Array("{}".utf8), permitted: [.owner],
                    by: .agent(agent), at: dawn))
        }
        var automatic = AutomaticAnswers()
        automatic.greeting = TemplateName("welcome")
        automatic.unanswered = TemplateName("sorry")
        automatic.unansweredMinutes = 10
        _ = try await store.append(
            SaveAutomaticAnswers(
                automatic, of: shop, event: Array("{}".utf8), by: .agent(agent), at: dawn))
        let rule = TeamRule(
            id: TeamRuleID(UniqueID(high: 0xB1, low: 1)), business: shop, name: "規則 \"1\"",
            isOn: false, order: 3, trigger: .labelAdded,
            conditions: Array("[{\"not\": true,\"intent\":\"予約\"}]".utf8),
            actions: Array("[{\"priority\": \"high\"}]".utf8))
        _ = try await store.append(SaveRule(rule, isNew: true, by: .agent(agent), at: dawn))
        for (number, subject) in [(1, AttributeDefinition.Subject.conversation), (2, .contact)] {
            let definition = AttributeDefinition(
                id: AttributeID(UniqueID(high: 0xAA, low: UInt64(number))), business: shop,
                subject: subject, key: "tier_\(number)", kind: .choice, name: "等級 \"1\"",
                choices: ["金", "b,c}"], order: 3)
            _ = try await store.append(SaveAttribute(definition, by: .agent(agent), at: dawn))
        }
        var contact = SaveContact.Values()
        contact.attributes = ["tier_2": .text("b,c}")]
        contact.metadata = annotation
        contact.name = "田中 \"VIP\""
        contact.externalID = "C-\u{1}7"
        contact.notes = "呼び方\u{2028}"
        _ = try await store.append(
            SaveContact(
                ContactID(conversation(1).value), of: shop, contact, by: .agent(agent), at: dawn))
        var verified = SaveContact.Values()
        verified.externalID = contact.externalID
        _ = try await store.append(
            SaveContact(
                ContactID(conversation(1).value), of: shop, verified,
                by: .key(key), at: dawn))
        try await addLink(to: store)
        _ = try await store.append(
            MergeContacts(
                ContactID(conversation(3).value), into: ContactID(conversation(1).value), of: shop,
                by: .agent(agent), at: dawn))
        _ = try await store.append(
            BlockContact(
                ContactID(conversation(2).value), of: shop, isBlocked: true, by: .agent(agent),
                at: dawn))
        _ = try await store.append(
            BlockContact(
                ContactID(conversation(2).value), of: shop, isBlocked: false, by: .agent(agent),
                at: dawn))
        _ = try await store.append(
            BlockContact(
                ContactID(conversation(1).value), of: shop, isBlocked: true, by: .agent(agent),
                at: dawn))
        let noted = conversation(2)
        let author = Author.agent(agent)
        _ = try await store.append([
            [
                .note(
                    AddNote(
                        NoteID(UniqueID(high: 0xD, low: 1)), to: noted, text: note,
                        mentions: Mentioned([agent], teams: [team], permitted: [.owner]),
                        by: author, at: dawn))
            ], [.change(ChangeConversation(noted, .assign(agent), by: author, at: dawn))],
            [.change(ChangeConversation(noted, .move(to: team), by: author, at: dawn))],
            [.change(ChangeConversation(noted, .prioritize(.high), by: author, at: dawn))],
            [
                .change(
                    ChangeConversation(
                        noted, .attribute(["tier_1": .text("金")]), by: author, at: dawn))
            ],
            [.change(ChangeConversation(noted, .annotate(annotation), by: author, at: dawn))],
            [
                .change(
                    ChangeConversation(
                        noted, .label(add: [label], remove: []), by: author, at: dawn))
            ],
            [.change(ChangeConversation(noted, .close, by: author, at: dawn))],
            [
                .change(
                    ChangeConversation(
                        noted,
                        .ask(
                            Satisfaction.Question(
                                try required(MessageID("question")), at: dawn,
                                about: Satisfaction.Work(
                                    assignee: agent, team: team, labels: [label]))),
                        by: .server, at: dawn))
            ],
            [
                .change(
                    ChangeConversation(
                        conversation(3), .leave, by: .customer(device: "d"), at: dawn))
            ],
            [
                .event(
                    AppendEvent(
                        .deliveryDead, of: shop, in: noted, data: Array("{\"status\": 500}".utf8),
                        at: dawn))
            ],
        ])
        try await addUnsent(to: store)
        // Newer than the rows of conversations: they lag until many more came.
        _ = try await store.append([[try message(messages + 1, use)]])
    }

    /// Metadata for one of each that has it.
    private static var annotation: Metadata.Change {
        var change = Metadata.Change()
        change.set("注文 \"1\"", to: "A-17\u{2028}")
        change.set("e\u{301}", to: "")
        return change
    }

    /// A contact of another business that is the person of the first conversation.
    private static func addLink(to store: any Store) async throws {
        let second = BusinessID(UniqueID(high: 0xB, low: 2))
        try await store.save(
            Business(id: second, name: "Second", colour: "#336699", mode: .live, createdAt: dawn),
            author: .server)
        try await store.setRole(.owner, of: agent, in: second, author: .server)
        let id = try required(CustomerID("urn:mbid:AAA4="))
        _ = try await store.append([
            [
                .open(
                    OpenConversation(
                        conversation(4), business: second, customer: Customer(id: id), at: dawn))
            ]
        ])
        _ = try await store.append(
            LinkContacts(
                ContactID(conversation(1).value), of: shop,
                with: ContactID(conversation(4).value), of: second, isLinked: true,
                permitted: [.owner], by: .agent(agent), at: dawn))
    }

    /// What agents have begun, chosen and not sent.
    private static func addUnsent(to store: any Store) async throws {
        _ = try await store.save(
            Draft(
                agent: agent, business: shop, conversation: conversation(1), version: 0,
                savedAt: dawn, kind: "list", text: "下書き", content: Array("{\"a\": 1.0}".utf8)),
            over: 0, atMost: 9)
        var values = SaveBot.Values()
        values.name = "注文 bot"
        values.key = KeyID(UniqueID(high: 0xB0, low: 2))
        values.intents = ["order", "注文"]
        values.isRetired = true
        _ = try await store.append(
            SaveBot(
                BotID(UniqueID(high: 0xB0, low: 1)), of: shop, isNew: true, values,
                by: .agent(agent), at: dawn))
        _ = try await store.append(
            AddSuggestion(
                Suggestion(
                    id: SuggestionID(UniqueID(high: 0x5E, low: 1)), business: shop,
                    conversation: conversation(1), author: .agent(agent), createdAt: dawn,
                    model: "模型", kind: .list, summary: "三つのお茶", remark: "100 %",
                    payload: Array("{\"a\": 1.0}".utf8))))
        _ = try await store.changePreferences(of: agent) {
            $0 = AgentPreferences(sendDelay: 10, console: Array(#"{"sound":false}"#.utf8))
        }
        let work = DueWork(
            DueWork.Name(.send, in: conversation(1), on: "m"), of: shop, dueAt: dawn,
            madeAt: dawn, author: .agent(agent), data: Array("{\"posted\":\"é\"}".utf8))
        let failure = DueWork.Failure(code: "customer_left", detail: "Gone.")
        _ = try await store.append([[.schedule(work), .refuse(work, as: failure)]])
    }

    private static func addServer(to store: any Store, picture: Blob) async throws {
        var business = Business(
            id: shop, name: "花屋 \"Shop\"", colour: "#336699", mode: .live, createdAt: dawn)
        business.picture = picture.id
        try await store.save(business, author: .server)
        try await store.save(
            EntryLink(id: "shop", business: shop, label: "Shop", intent: "", body: "Hello,"),
            author: .server)
        _ = try await store.save(
            Agent(
                id: agent, name: "Ada", email: "ada@example.com", password: canaries[0],
                createdAt: dawn), author: .server)
        try await store.setRole(.owner, of: agent, in: shop, author: .server)
        _ = try await store.choose(.busy, by: agent)
        try await store.setSetting("canary", to: Array(canaries[1].utf8), author: .server)
        try await store.add(
            APIKey(
                id: key, name: "till", secret: secrets[0], mode: .live, businesses: [shop],
                limits: limits, predecessor: KeyID(UniqueID(high: 0xE, low: 2)), createdAt: dawn),
            author: .server, permitted: [])
        try await store.add(
            Session(
                token: secrets[1], subject: .agent(agent), createdAt: dawn,
                expiresAt: dawn.advanced(by: .seconds(3_600))), author: .server)
        for (number, side) in [(1, GatewaySide.provider), (2, .upstream)] {
            let link = GatewayLink(
                id: GatewayLinkID(UniqueID(high: 0xF, low: UInt64(number))), business: shop,
                side: side, mspID: "msp \"1\"", secret: Array(canaries[2].utf8),
                url: "https://bots.example/\(number)", settings: Array("{\"a\": 1.0}".utf8),
                createdAt: dawn)
            _ = try await store.save(link, author: .server)
        }
        for version in 1...2 {
            _ = try await store.append([
                [
                    .template(
                        Template(
                            business: shop, name: try required(TemplateName("hours")),
                            title: "Hours", detail: "v\(version)", payload: Array(payload.utf8),
                            parameters: Array("[]".utf8), author: .agent(agent), publishedAt: dawn))
                ]
            ])
        }
    }

    /// The eighth message is a request that the ninth one settles.
    private static var settled: Write {
        get throws {
            .settle(
                try required(MessageID("m8")), in: conversation(1),
                by: try required(MessageID("m9")))
        }
    }

    private static func message(_ number: Int, _ use: AttachmentUse) throws -> Write {
        let isInbound = number.isMultiple(of: 3)
        var facts = MessageFacts(
            direction: isInbound ? .inbound : .outbound, kind: isInbound ? .text : .list,
            author: isInbound ? .customer(device: "d\(number)") : .agent(agent),
            origin: isInbound ? .phone : .console, summary: "配送 \(number)")
        if number == 7 { facts.attachments = [use] }
        if number == 8 {
            facts.headers = [HeaderField(name: "auto-reply", value: "true")]
            facts.metadata = Metadata().changed(by: annotation)
            facts.warnings = Array("[{\"rule\":\"x\"}]".utf8)
            facts.template = TemplateUse(
                name: try required(TemplateName("hours")), version: 2, values: Array("{}".utf8))
            facts.inReplyTo = MessageID("m7")
            facts.entryCode = "code"
        }
        return .message(
            NewMessage(
                Submission(
                    conversation: conversation(number.isMultiple(of: 5) ? 2 : 1),
                    id: try required(MessageID("m\(number)")), payload: Array(payload.utf8),
                    posted: number == 8 ? Array("other bytes".utf8) : nil, facts: facts),
                at: dawn.advanced(by: .seconds(number))))
    }

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Unexpected("an id that is none") }
        return value
    }

    /// Lends a directory that is gone afterwards.
    package static func withScratch(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/archive-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(atPath: path)  // Safe: the folder is temporary.
        }
        try await body(path)
    }
}
