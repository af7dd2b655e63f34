import DeskBytes
import DeskJSON
import DeskModel
import DeskStore

extension ArchiveLine {
    /// What one line says.
    enum Content {
        case head(ArchiveHead)
        case item(ArchiveItem)
        case end(ArchiveEnd)
    }

    /// Reads a line without its end.
    ///
    /// - Throws: with what is wrong.
    static func read(_ bytes: [UInt8]) throws(ArchiveFault) -> Content {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw ArchiveFault("it is no JSON: \(error.code.rawValue) at column \(error.column)")
        }
        var members = try ArchiveMembers(document.root)
        let type = try members.text("type")
        let content = try content(of: type, &members)
        try members.end()
        return content
    }

    private static func content(
        of type: String, _ line: inout ArchiveMembers
    ) throws(ArchiveFault) -> Content {
        switch type {
        case title: .head(try head(&line))
        case "end": .end(try end(&line))
        case "business": .item(.business(try business(&line)))
        case "link": .item(.link(try link(&line)))
        case "agent":
            .item(
                .agent(
                    Agent(
                        id: try line.id("id"), name: try line.text("name"),
                        email: try line.text("email"), password: nil,
                        createdAt: try line.time("createdAt"))))
        case "membership":
            .item(
                .membership(
                    Membership(
                        agent: try line.id("agent"), business: try line.id("business"),
                        role: try line.word("role") { Role($0) })))
        case "key": .item(.key(try key(&line)))
        case "gateway":
            .item(
                .gateway(
                    GatewayLink(
                        id: try line.id("id"), business: try line.id("business"),
                        side: try line.word("side") { GatewaySide(rawValue: $0) },
                        mspID: try line.text("mspId"), secret: [], url: try line.text("url"),
                        settings: try line.utf8("settings"),
                        createdAt: try line.time("createdAt"))))
        case "webhook": .item(.webhook(try webhook(&line)))
        case "template": .item(.template(try template(&line)))
        case "label":
            .item(
                .label(
                    Label(
                        id: try line.id("id"), business: try line.id("business"),
                        name: try line.text("name"), colour: try line.text("colour"),
                        order: Int(try line.number("order")),
                        isRetired: try line.claim("retired"))))
        case "team":
            .item(
                .team(
                    Team(
                        id: try line.id("id"), business: try line.id("business"),
                        name: try line.text("name"), colour: try line.text("colour"),
                        members: try line.ids("members"),
                        isRetired: try line.claim("retired"))))
        case "availability":
            .item(
                .availability(
                    ChosenAvailability(
                        agent: try line.id("agent"),
                        state: try line.word("state") { Availability(rawValue: $0) },
                        version: try line.number("version"))))
        case "answers": try answers(&line)
        case "assignment": .item(.assignment(try assignment(&line)))
        case "hours":
            .item(
                .hours(
                    StoredHours(
                        of: try line.id("business"),
                        for: try line.idIfAny("team"),
                        data: try line.utf8("data"))))
        case "attribute":
            .item(
                .attribute(
                    AttributeDefinition(
                        id: try line.id("id"), business: try line.id("business"),
                        subject: try line.word("of") { AttributeDefinition.Subject(rawValue: $0) },
                        key: try line.word("key") {
                            AttributeDefinition.isKey($0) ? $0 : nil
                        }, kind: try line.word("kind") { AttributeDefinition.Kind(rawValue: $0) },
                        name: try line.text("name"),
                        choices: try line.list("choices") { value throws(ArchiveFault) in
                            guard let text = value.string else {
                                throw ArchiveFault("a choice is a text")
                            }
                            return text
                        }, order: Int(try line.number("order")),
                        isRetired: try line.claim("retired"))))
        case "contact":
            .item(
                .contact(
                    Contact(
                        id: try line.id("id"), business: try line.id("business"),
                        name: try line.textIfAny("name"),
                        externalID: try line.textIfAny("externalId"),
                        isExternalIDVerified: try line.takeIfAny(
                            "externalIdVerified", "true or false", { $0.bool }) ?? false,
                        notes: try line.text("notes"),
                        attributes: try line.takeIfAny("attributes", "values by their keys") {
                            $0.string.flatMap { RowFields.readAttributes($0) }
                        } ?? [:], metadata: try metadata(&line),
                        blockedAt: try line.timeIfAny("blockedAt"),
                        merge: try line.takeIfAny("merge", "a merge") {
                            $0.string.flatMap { RowFields.readMerge($0) }
                        }, createdAt: try line.time("createdAt"))))
        case "contactLink": .item(.contactLink(try contactLink(&line)))
        case "macro":
            .item(
                .macro(
                    Macro(
                        id: try line.id("id"), business: try line.id("business"),
                        owner: try line.idIfAny("owner"), name: try line.text("name"),
                        parameters: try line.utf8("parameters"),
                        actions: try line.utf8("actions"),
                        isRetired: try line.claim("retired"))))
        case "rule":
            .item(
                .rule(
                    TeamRule(
                        id: try line.id("id"), business: try line.id("business"),
                        name: try line.text("name"), isOn: try line.claim("on"),
                        order: Int(try line.number("order")),
                        trigger: try line.word("when") { TeamRule.Trigger(rawValue: $0) },
                        conditions: try line.utf8("if"), actions: try line.utf8("then"))))
        case "view":
            .item(
                .savedView(
                    SavedView(
                        id: try line.id("id"), business: try line.idIfAny("business"),
                        owner: try line.idIfAny("owner"), name: try line.text("name"),
                        filter: try line.utf8("filter"),
                        order: Int(try line.number("order")))))
        case "levels":
            .item(.serviceLevels(try line.utf8("data"), of: try line.id("business")))
        case "satisfaction":
            .item(
                .satisfaction(
                    StoredSatisfaction(
                        try line.numberIfAny("delayMinutes")
                            .map { SatisfactionPlan(delayMinutes: Int($0)) },
                        try line.utf8("data")), of: try line.id("business")))
        case "widget": .item(.widget(try line.utf8("data"), of: try line.id("business")))
        case "retention": .item(.retention(try retention(&line)))
        case "legalHold": .item(.legalHold(try legalHold(&line)))
        case "bot": .item(.bot(try bot(&line)))
        case "library": .item(.libraryFile(try libraryFile(&line)))
        case "suggestion": .item(.suggestion(try suggestion(&line)))
        case "draft": .item(.draft(try draft(&line)))
        case "delayed": .item(.delayed(try delayed(&line)))
        case "preferences":
            .item(
                .preferences(
                    AgentPreferences(
                        sendDelay: Int(try line.number("sendDelay")),
                        console: try line.textIfAny("console").map { Array($0.utf8) }),
                    of: try line.id("agent")))
        case "attachment":
            .item(
                .attachment(
                    Blob(
                        id: AttachmentID(try line.digest("sha256")),
                        byteCount: try line.number("bytes"))))
        case "bytes":
            .item(
                .piece(
                    try line.take("base64", "base64") {
                        $0.stringBytes.flatMap { Base64.decode($0) }
                    }
                ))
        case "hold": .item(.hold(try hold(&line)))
        case "conversation": .item(.conversation(try conversation(&line)))
        case "note": .item(.note(try note(&line)))
        case "message": .item(.message(try message(&line)))
        case "event": .item(.event(try event(&line)))
        case "settlement":
            .item(
                .settlement(
                    ArchivedSettlement(
                        conversation: try line.id("conversation"),
                        request: try line.word("request") { MessageID($0) },
                        answer: try line.word("answer") { MessageID($0) })))
        default: throw ArchiveFault("its type is none that this version knows")
        }
    }

    // MARK: The first and the last line

    private static func head(_ line: inout ArchiveMembers) throws(ArchiveFault) -> ArchiveHead {
        let version = try line.number("version")
        guard (1...Int64(Self.version)).contains(version) else {
            throw ArchiveFault(
                "the format has version \(version); this program reads 1 to \(Self.version)")
        }
        _ = try line.list("holds") { $0.string }
        let head = ArchiveHead(
            epoch: try line.word("epoch") { Epoch($0) }, time: try line.time("time"),
            position: try line.position("position"), pruned: try line.position("pruned"),
            namesSettlements: version >= settlements)
        guard head.pruned <= head.position else {
            throw ArchiveFault("more events were forgotten than there were")
        }
        return head
    }

    private static func end(_ line: inout ArchiveMembers) throws(ArchiveFault) -> ArchiveEnd {
        var end = ArchiveEnd()
        end.lines = Int(try line.number("lines"))
        var counts = try ArchiveMembers(line.take("counts", "an object") { $0 }, "\"counts\"")
        for type in types where !laterTypes.contains(type) {
            end.counts[type] = Int(try counts.number(type))
        }
        for type in laterTypes {
            if let count = try counts.numberIfAny(type) { end.counts[type] = Int(count) }
        }
        try counts.end()
        end.digest = try line.digest("sha256")
        return end
    }

    // MARK: Things of the server

    private static func business(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Business {
        Business(
            id: try line.id("id"), name: try line.text("name"), colour: try line.text("colour"),
            picture: try line.digestIfAny("picture").map { AttachmentID($0) },
            mode: try line.word("mode") { Mode(rawValue: $0) },
            isSandbox: try line.claim("sandbox"), createdAt: try line.time("createdAt"),
            // Earlier archives do not have it.
            assignsOnReply: try line.takeIfAny("assignsOnReply", "true or false", { $0.bool })
                ?? true,
            requiresSecondFactor: try line.takeIfAny(
                "requiresSecondFactor", "true or false", { $0.bool }) ?? false)
    }

    private static func link(_ line: inout ArchiveMembers) throws(ArchiveFault) -> EntryLink {
        EntryLink(
            id: try line.text("id"), business: try line.id("business"),
            label: try line.text("label"), intent: try line.textIfAny("intent"),
            group: try line.textIfAny("group"), body: try line.textIfAny("body"))
    }

    private static func key(_ line: inout ArchiveMembers) throws(ArchiveFault) -> APIKey {
        let words = { (value: JSONValue) throws(ArchiveFault) -> String in
            guard let text = value.string, !text.isEmpty, !text.utf8.contains(0x20) else {
                throw ArchiveFault("a scope or an address is a word without a space")
            }
            return text
        }
        return APIKey(
            id: try line.id("id"), name: try line.text("name"), secret: Digest(words: .zero),
            mode: try line.word("mode") { Mode(rawValue: $0) },
            businesses: try line.ids("businesses"),
            limits: KeyLimits(
                scopes: try line.list("scopes", words),
                addresses: try line.list("addresses", words),
                expiresAt: try line.timeIfAny("expiresAt")),
            predecessor: try line.idIfAny("predecessor"),
            createdAt: try line.time("createdAt"), revokedAt: try line.timeIfAny("revokedAt"),
            usedAt: try line.timeIfAny("usedAt"))
    }

    private static func template(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Template {
        Template(
            business: try line.id("business"), name: try line.word("name") { TemplateName($0) },
            version: Int(try line.number("version")), title: try line.text("title"),
            detail: try line.text("detail"), payload: try line.utf8("payload"),
            parameters: try line.utf8("parameters"), attachments: try attachments(&line),
            author: try line.author("author"), publishedAt: try line.time("publishedAt"))
    }

    private static func draft(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Draft {
        Draft(
            agent: try line.id("agent"), business: try line.id("business"),
            conversation: try line.id("conversation"), version: try line.number("version"),
            savedAt: try line.time("savedAt"), kind: try line.text("kind"),
            text: try line.text("text"),
            content: try line.takeIfAny("content", "a text") { $0.stringBytes })
    }

    private static func assignment(
        _ line: inout ArchiveMembers
    ) throws(ArchiveFault) -> StoredAssignment {
        let members: [AgentID] = try line.ids("members")
        let own = try line.list("capacities") { value throws(ArchiveFault) in
            guard let number = value.string.flatMap({ Int($0) }) else {
                throw ArchiveFault("a capacity is a number")
            }
            return number
        }
        guard members.count == own.count else {
            throw ArchiveFault("each of \"members\" has one of \"capacities\"")
        }
        return StoredAssignment(
            of: try line.id("business"), for: try line.idIfAny("team"),
            AssignmentRule(
                try line.word("strategy") { AssignmentRule.Strategy(rawValue: $0) },
                isSticky: try line.claim("sticky"), capacity: Int(try line.number("capacity")),
                giveBackMinutes: try line.numberIfAny("giveBackMinutes").map { Int($0) }),
            capacities: Dictionary(zip(members, own)) { $1 })
    }

    private static func answers(_ line: inout ArchiveMembers) throws(ArchiveFault) -> Content {
        let business: BusinessID = try line.id("business")
        func template(_ name: String) throws(ArchiveFault) -> TemplateName? {
            try line.takeIfAny(name, "a template's name") { $0.string.flatMap { TemplateName($0) } }
        }
        var answers = AutomaticAnswers()
        answers.greeting = try template("greeting")
        answers.outOfHours = try template("outOfHours")
        answers.unanswered = try template("unanswered")
        answers.unansweredMinutes = try line.numberIfAny("unansweredMinutes").map { Int($0) }
        return .item(.automaticAnswers(answers, of: business))
    }

    private static func delayed(_ line: inout ArchiveMembers) throws(ArchiveFault) -> DueWork {
        let name = DueWork.Name(
            try line.word("kind") { DueWork.Kind(rawValue: $0) },
            in: try line.id("conversation"), on: try line.text("subject"))
        var failure: DueWork.Failure?
        if let code = try line.textIfAny("failure") {
            failure = DueWork.Failure(code: code, detail: try line.text("failureDetail"))
        }
        return DueWork(
            name, of: try line.id("business"), dueAt: try line.time("dueAt"),
            madeAt: try line.time("madeAt"), author: try line.author("author"),
            data: try line.utf8("data"), failure: failure)
    }

    private static func hold(_ line: inout ArchiveMembers) throws(ArchiveFault) -> ArchivedHold {
        let conversation: ConversationID? = try line.idIfAny("conversation")
        let business: BusinessID? = try line.idIfAny("business")
        let library: BusinessID? = try line.idIfAny("library")
        let holders: [AttachmentHolder] = [
            conversation.map { .conversation($0) }, business.map { .business($0) },
            library.map { .library($0) },
        ].compactMap { $0 }
        guard let holder = holders.first, holders.count == 1 else {
            throw ArchiveFault("the holder is a conversation, a business or a library, one of them")
        }
        let use = try attachment(line.take("attachment", "an object") { $0 })
        return ArchivedHold(holder: holder, attachment: use, time: try line.time("time"))
    }

    static func attachments(
        _ line: inout ArchiveMembers
    ) throws(ArchiveFault) -> [AttachmentUse] {
        try line.list("attachments") { value throws(ArchiveFault) in try attachment(value) }
    }

    static func attachment(_ value: JSONValue) throws(ArchiveFault) -> AttachmentUse {
        var members = try ArchiveMembers(value, "the attachment")
        let use = AttachmentUse(
            id: AttachmentID(try members.digest("sha256")), name: try members.text("name"),
            mediaType: try members.text("mediaType"), byteCount: try members.number("bytes"))
        try members.end()
        return use
    }
}
