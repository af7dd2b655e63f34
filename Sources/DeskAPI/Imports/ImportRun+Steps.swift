import DeskBroker
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// What is made of lines before they are stored.
extension ImportRun {
    mutating func step(_ line: ImportLine.Person) async throws(Problem) -> ImportStep {
        let target = try await target(line.customer)
        var values = SaveContact.Values()
        if let name = line.name { values.name = name }
        if let id = line.externalID { values.externalID = id }
        values.notes = line.notes
        values.metadata = Metadata.Change(setting: line.metadata)
        return .customer(
            opening(target, at: line.openedAt ?? now, locale: line.locale),
            ImportCustomer(
                target.customer, of: names.business, values, by: importer, at: now),
            values: values)
    }

    mutating func step(
        _ line: ImportLine.Work, at place: ImportReport.Place
    ) async throws(Problem) -> ImportStep {
        let target = try await target(line.customer)
        var work = ImportState.Work(
            state: line.state, snoozedUntil: line.snoozedUntil, priority: line.priority)
        if let value = line.assignee, let email = value.string {
            work.assignee = try await handler(email)
            if work.assignee == nil {
                warn(
                    RequestFinding(
                        .value, at: value, found: RequestFinding.shown(value),
                        allowed: "the e-mail address of a member who handles conversations",
                        fix:
                            "The conversation has no assignee. Invite the person, and import again."
                    ), at: place)
            }
        }
        var ids: [LabelID] = []
        for name in line.labels {
            let key = Array(name.text.lowercased().utf8)
            guard let label = labels[key], !label.isRetired else {
                warn(
                    RequestFinding(
                        .value, at: name.value, found: Quoted.text(name.text),
                        allowed: "the name of a label of the business",
                        fix: "The label is left out. Send a line of type label first."),
                    at: place)
                continue
            }
            if !ids.contains(label.id) { ids.append(label.id) }
        }
        return .state(
            opening(target, at: line.openedAt ?? now),
            ImportState(
                target.conversation, work, labels: ids, metadata: line.metadata, by: importer,
                at: now))
    }

    mutating func step(
        _ line: ImportLine.Said, at place: ImportReport.Place
    ) async throws(Problem) -> ImportStep {
        let target = try await target(line.customer)
        let id = names.message(line.id, of: target.customer)
        let author = try await author(of: line)
        if let erasure = line.erasure {
            if try await hasContent(id, in: target) { warn(.contentHere(erasure.value), at: place) }
            var facts = MessageFacts(
                direction: line.direction, kind: erasure.kind, author: author, origin: .api)
            facts.markImported(from: names.system)
            let tombstone = NewMessage(
                erased: id, in: target.conversation, facts, at: line.time,
                erasedAt: erasure.time)
            return .message(
                opening(target, at: line.time), tombstone, customer: target.customer)
        }
        let (payload, kind) = try payload(of: line, as: id, with: target.customer)
        var facts = MessageFacts(
            direction: line.direction, kind: kind, author: author, origin: .api,
            inReplyTo: line.inReplyTo.map { names.message($0, of: target.customer) },
            summary: Summary.text(of: payload, direction: line.direction))
        facts.markImported(from: names.system)
        if !line.metadata.isEmpty { facts.metadata = line.metadata }
        let message = NewMessage(
            Submission(
                conversation: target.conversation, id: id, payload: payload, facts: facts),
            at: line.time)
        return .message(opening(target, at: line.time), message, customer: target.customer)
    }

    /// Whether a message is stored here that was not erased.
    private func hasContent(
        _ id: MessageID, in target: ImportTarget
    ) async throws(Problem) -> Bool {
        guard target.isThere else { return false }
        let known = try await services.asking { store throws(StoreError) in
            try await store.findMessage(id, in: target.conversation)
        }
        return known.map { $0.erasedAt == nil } ?? false
    }

    /// Who said it: the customer, a member of the address, or who the other system says.
    private mutating func author(of line: ImportLine.Said) async throws(Problem) -> Author {
        guard line.direction == .outbound else { return .customer(device: "import") }
        if let email = line.authorEmail, let agent = try await member(email) {
            return .agent(agent)
        }
        return .provider(line.author ?? names.system)
    }

    mutating func step(_ line: ImportLine.Noted) async throws(Problem) -> ImportStep {
        let target = try await target(line.customer)
        let id = try await own(line.id, in: target) ?? names.note(line.id, of: target.customer)
        return .note(
            opening(target, at: line.time),
            ImportNote(
                id, in: target.conversation,
                text: line.text, by: line.author ?? names.system, at: line.time),
            customer: target.customer)
    }

    /// The note of this server that a line names, where the line is from its own export.
    private func own(
        _ name: String, in target: ImportTarget
    ) async throws(Problem) -> NoteID? {
        guard target.isThere, let id = NoteID(name) else { return nil }
        let isThere = try await services.asking { store throws(StoreError) in
            try await store.hasNote(id, in: target.conversation)
        }
        return isThere ? id : nil
    }

    private func opening(
        _ target: ImportTarget, at time: Timestamp, locale: String? = nil
    ) -> OpenConversation {
        OpenConversation(
            target.conversation, business: names.business,
            customer: Customer(id: target.customer, locale: locale), at: time,
            importedBy: importer)
    }

    // MARK: Payloads

    /// The payload as if it had been sent here, and what it is.
    ///
    /// - Throws: `invalid` with what of it is wrong; of imported ones only what no program could show.
    private func payload(
        of line: ImportLine.Said, as id: MessageID, with customer: CustomerID
    ) throws(Problem) -> ([UInt8], MessageKind) {
        let isInbound = line.direction == .inbound
        let source = isInbound ? customer.text : names.business.text
        let destination = isInbound ? names.business.text : customer.text
        let payload = JSONWriter.object { text in
            switch line.content {
            case .text(let words):
                text.member("v", 1)
                text.member("type", "text")
                text.member("body", words)
            case .payload(let value):
                for member in value.members where !Self.isEnvelope(member.key) {
                    text.key(text: member.key)
                    text.raw(member.value.rawBytes)
                }
            }
            text.member("id", id.text)
            text.member("sourceId", source)
            text.member("destinationId", destination)
        }
        let judged = services.rulebook.judge(
            payload,
            JudgementContext(
                direction: line.direction, now: line.time, profile: .lenient,
                mode: business.mode,
                envelope: ExpectedEnvelope(
                    id: id.text, sourceID: source, destinationID: destination),
                plainOrigin: services.plainOrigin))
        guard !judged.isRefused, let kind = judged.kind else { throw Problem(judged) }
        return (payload, kind)
    }

    /// What of a payload names the message and where it goes; files are in no import.
    private static func isEnvelope(_ key: String) -> Bool {
        ["id", "sourceId", "destinationId", "attachments"].contains(key)
    }

    // MARK: Settings

    mutating func importLabel(_ line: ImportLine.Labelled) async throws(Problem) -> ImportOutcome {
        var values = SaveLabel.Values()
        values.name = line.name
        values.colour = line.colour
        let key = Array(line.name.lowercased().utf8)
        let (business, importer) = (names.business, importer)
        if let known = labels[key] {
            let isSame = known.name == line.name && known.colour == line.colour ?? known.colour
            guard !isSame else { return .known }
            guard !isDryRun else { return .updated }
            let changes = values
            labels[key] = try await services.brokering { broker throws(BrokerError) in
                try await broker.change(known.id, of: business, changes, by: importer)
            }
            return .updated
        }
        guard labels.count < Label.most else {
            throw Problem(
                .invalid,
                "The business has \(labels.count) labels, which is all that it may have; those that are retired count."
            )
        }
        values.colour = line.colour ?? "#64748b"
        guard !isDryRun else {
            labels[key] = Label(
                id: LabelID(UniqueID(high: 0, low: 0)), business: business, name: line.name,
                colour: values.colour ?? "")
            return .added
        }
        let made = values
        labels[key] = try await services.brokering { broker throws(BrokerError) in
            try await broker.makeLabel(made, of: business, by: importer)
        }
        return .added
    }

    mutating func importTemplate(
        _ line: ImportLine.Templated
    ) async throws(Problem) -> ImportOutcome {
        let payload: [UInt8] =
            switch line.content {
            case .text(let words):
                JSONWriter.object { text in
                    text.member("type", "text")
                    text.member("body", words)
                }
            case .payload(let value): Array(value.rawBytes)
            }
        let form: TemplateForm
        do {
            form = try TemplateForm(payload: payload, parameters: line.parameters)
            try form.requireFallbacks()
        } catch {
            throw Problem(error)
        }
        let faults = form.faults(
            judgedBy: services.rulebook,
            JudgementContext(
                direction: .outbound, now: now, profile: .strict, mode: business.mode,
                plainOrigin: services.plainOrigin), limitBytes: services.limits.payloadBytes)
        if let fault = faults.first {
            throw Problem(
                .invalid,
                "The template could never be sent: found \(fault.found); allowed: "
                    + "\(fault.finding.allowed).")
        }
        let id = names.business
        let parameters = line.parameters
        try services.refuseUnknownParameters(
            in: JSONWriter.object { text in
                text.member("payload", raw: payload)
                text.member("parameters", raw: parameters)
            })
        let attachments = try await PayloadJudge(services: services).attachments(
            of: JSONValue.parsed(payload), [.business(id), .library(id)])
        let template = Template(
            business: id, name: line.name, title: line.title, detail: line.detail,
            payload: payload, parameters: line.parameters, attachments: attachments,
            author: importer, publishedAt: now)
        guard !isDryRun else {
            let known = try await services.asking { store throws(StoreError) in
                try await store.findTemplate(line.name, of: id, version: nil)
            }
            guard let known else { return .added }
            return known.saysTheSame(as: template) ? .known : .updated
        }
        return try await services.brokering { broker throws(BrokerError) in
            try await broker.publish(ImportTemplate(template))
        }
    }
}

extension RequestFinding {
    /// That a message was erased in the other system, and not here: an import erases nothing.
    fileprivate static func contentHere(_ value: JSONValue) -> RequestFinding {
        RequestFinding(
            .value, at: value,
            found: "the time of an erasure, and the message with its content here",
            allowed: "a message that is not here, or that was erased here too",
            fix: "Erase the message here.")
    }
}
