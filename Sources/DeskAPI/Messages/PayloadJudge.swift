import DeskBroker
import DeskBytes
import DeskJSON
public import DeskMessages
public import DeskModel
import DeskScript
import DeskStore
public import DeskWeb

/// A payload that was judged for a conversation and may be sent.
struct JudgedPayload {
    /// The bytes as they are sent on.
    let payload: [UInt8]
    /// What it is.
    let kind: PayloadKind
    /// The message's id, stated or made.
    let id: MessageID
    /// Whether the id was made here, as none was stated.
    let isIDMade: Bool
    /// The line for lists.
    let summary: String
    /// Warnings as a JSON array's text; empty when there are none.
    let warnings: [UInt8]
    /// The same with the edits that fix them, for a caller that may still change the text.
    let remarks: [Finding]
    /// Attachments of ours that it names.
    let attachments: [AttachmentUse]

    /// What a repeat is compared with, where that is not the payload itself.
    ///
    /// Nil where the id was made here: these bytes cannot be posted under it again.
    func compared(with posted: [UInt8]) -> [UInt8]? {
        isIDMade || posted.count == payload.count ? nil : posted
    }
}

/// Judges payloads for the routes that send and for the one that only looks.
struct PayloadJudge {
    let services: Services

    /// Judges bytes as they were posted.
    ///
    /// - Parameters:
    ///   - conversation: where they go; without one only the business side is checked.
    ///   - id: the message's id when it is not in the payload; nil makes one.
    func judge(
        _ posted: [UInt8], for conversation: Conversation?, of business: BusinessID,
        direction: Direction = .outbound, profile: Profile, id: MessageID? = nil,
        holders: [AttachmentHolder]
    ) async throws(Problem) -> JudgedPayload {
        let mode = try await services.requireBusiness(business).mode
        let context = context(
            conversation, business, direction, profile, mode, services.time.now(), id)
        return try await take(
            services.rulebook.judge(posted, context), posted, for: conversation, of: business,
            direction, id: id, holders: holders)
    }

    /// Judges what was parsed as part of a larger text, for a conversation of the business.
    func judge(
        _ document: JSONDocument, for conversation: Conversation, profile: Profile
    ) async throws(Problem) -> JudgedPayload {
        let business = conversation.business
        let mode = try await services.requireBusiness(business).mode
        let context = context(
            conversation, business, .outbound, profile, mode, services.time.now(), nil)
        return try await take(
            services.rulebook.judge(document, context), document.bytes, for: conversation,
            of: business, .outbound, id: nil, holders: [.conversation(conversation.id)])
    }

    /// Judges bytes for the route that only looks, by what its query says.
    ///
    /// Without a business and a conversation nothing in the envelope is compared, as in a lint.
    func judge(
        _ posted: [UInt8], for conversation: Conversation?, of business: BusinessID?,
        _ asked: ValidateQuery, among businesses: Set<BusinessID>
    ) async throws(Problem) -> JudgedPayload {
        let mode = try await mode(of: business, among: businesses)
        var context = context(
            conversation, business, asked.direction, asked.profile, asked.mode ?? mode,
            asked.now ?? services.time.now(), nil)
        context.references = asked.references
        if let capabilities = asked.capabilities { context.capabilities = capabilities }
        let holders: [AttachmentHolder] =
            if let conversation {
                [.conversation(conversation.id)]
            } else if let business {
                [.business(business)]
            } else {
                businesses.map { .business($0) }
            }
        return try await take(
            services.rulebook.judge(posted, context), posted, for: conversation, of: business,
            context.direction, id: nil, holders: holders)
    }

    /// Judges what is no message, which nothing is sent of, by the schema that a query names.
    func judge(_ posted: [UInt8], asDocument name: String, _ asked: ValidateQuery)
        throws(Problem) -> Judgement
    {
        let context = JudgementContext(
            direction: asked.direction, now: asked.now ?? services.time.now(),
            profile: asked.profile, mode: asked.mode ?? .live)
        guard let judgement = services.rulebook.judge(posted, asDocument: name, context) else {
            throw Problem(
                .invalid,
                [
                    ParameterFinding(
                        rule: .value, parameter: "kind", found: Quoted.text(name),
                        allowed: "message, or the name of a schema such as template",
                        fix: "Send one of these, or leave the parameter out.")
                ])
        }
        if judgement.isRefused { throw Problem(judgement) }
        return judgement
    }

    /// The mode of a business; without one, live where any of the caller's businesses is.
    private func mode(
        of business: BusinessID?, among businesses: Set<BusinessID>
    ) async throws(Problem) -> Mode {
        if let business { return try await services.requireBusiness(business).mode }
        for business in businesses
        where try await services.requireBusiness(business).mode == .live { return .live }
        return businesses.isEmpty ? .live : .test
    }

    /// Refuses what was judged badly; makes of the rest what is sent on.
    private func take(
        _ judgement: Judgement, _ posted: [UInt8], for conversation: Conversation?,
        of business: BusinessID?, _ direction: Direction, id: MessageID?,
        holders: [AttachmentHolder]
    ) async throws(Problem) -> JudgedPayload {
        if judgement.isRefused { throw Problem(judgement) }
        if direction == .outbound, let metadata = judgement.document?.root["metadata"],
            !metadata.isNull
        {
            throw Self.misplaced(metadata)
        }
        guard let kind = judgement.payload else { throw Problem(judgement) }
        let message = try messageID(judgement, given: id)
        let customer = conversation?.customer.id.text ?? ""
        let isOutbound = direction == .outbound
        let uses: [AttachmentUse]
        do throws(Problem) {
            uses = try await attachments(
                of: judgement.document?.root,
                holders + (isOutbound ? business.map { Self.shared(by: $0) } ?? [] : []))
        } catch {
            // The files of a message go with it where it is erased.
            guard let conversation, try await isErased(message, in: conversation.id) else {
                throw error
            }
            throw Problem(Refusal.messageErased)
        }
        let payload = judgement.stated.completed(
            posted, id: message.text,
            sourceID: isOutbound ? business?.text ?? "" : customer,
            destinationID: isOutbound ? customer : business?.text ?? "")
        return JudgedPayload(
            payload: payload, kind: kind, id: message,
            isIDMade: id == nil && judgement.stated.messageID == nil,
            summary: Summary.text(of: judgement, direction: direction),
            warnings: judgement.warningsText, remarks: judgement.warnings,
            attachments: uses)
    }

    /// Metadata in a payload: what a program keeps for itself would go to the customer.
    private static func misplaced(_ metadata: JSONValue) -> Problem {
        Problem([
            RequestFinding(
                .unknown, at: metadata,
                found: "metadata inside the payload, which goes to the customer",
                allowed: "metadata beside the payload",
                fix: "Send an object with the members payload and metadata, or take the member out."
            )
        ])
    }

    private func isErased(
        _ message: MessageID, in conversation: ConversationID
    ) async throws(Problem) -> Bool {
        let known = try await services.asking { store throws(StoreError) in
            try await store.findMessage(message, in: conversation)
        }
        return known?.erasedAt != nil
    }

    /// Those whose files all members of a business may send: its library, and its templates.
    static func shared(by business: BusinessID) -> [AttachmentHolder] {
        [.library(business), .business(business)]
    }

    private func context(
        _ conversation: Conversation?, _ business: BusinessID?, _ direction: Direction,
        _ profile: Profile, _ mode: Mode, _ now: Timestamp, _ id: MessageID?
    ) -> JudgementContext {
        let customer = conversation?.customer.id.text
        let isOutbound = direction == .outbound
        return JudgementContext(
            direction: direction, now: now, profile: profile, mode: mode,
            capabilities: conversation?.customer.capabilities.map {
                CapabilityList(words: $0)
            },
            envelope: ExpectedEnvelope(
                id: id?.text, sourceID: isOutbound ? business?.text : customer,
                destinationID: isOutbound ? customer : business?.text),
            plainOrigin: services.plainOrigin)
    }

    private func messageID(
        _ judgement: Judgement, given: MessageID?
    ) throws(Problem) -> MessageID {
        if let given { return given }
        guard let stated = judgement.stated.messageID else {
            return services.broker.makeMessageID()
        }
        guard let id = MessageID(stated) else {
            throw Problem(
                .invalid, "The member id has 1 to \(MessageID.maximumBytes) printable characters.")
        }
        return id
    }

    /// The attachments that the payload names by a link of ours; each must be one that a holder has.
    func attachments(
        of payload: JSONValue?, _ holders: [AttachmentHolder]
    ) async throws(Problem) -> [AttachmentUse] {
        guard let list = payload?["attachments"], list.count > 0 else { return [] }
        var uses: [AttachmentUse] = []
        for element in list.elements {
            // In either of the protocol's spellings (protocol page 4).
            func member(_ names: String...) -> JSONValue? {
                names.lazy.compactMap { element[$0] }.first { $0.string != nil }
            }
            guard let url = member("url", "mmcs-url"), let text = url.string,
                let id = AttachmentLink.id(in: text, publicURL: services.publicURL)
            else { continue }
            var found: AttachmentUse?
            for holder in holders where found == nil {
                found = try await services.asking { store throws(StoreError) in
                    try await store.findAttachment(id, heldBy: holder)
                }
            }
            guard let found else {
                throw Problem([
                    RequestFinding(
                        .value, at: url, found: "an attachment that is not here",
                        allowed: "one that was uploaded for this conversation, or of the library",
                        fix: "Upload it with POST /api/attachments and use what that answers.")
                ])
            }
            uses.append(
                AttachmentUse(
                    id: id, name: element["name"]?.string ?? found.name,
                    mediaType: member("mimeType", "mime-type")?.string ?? found.mediaType,
                    byteCount: found.byteCount))
        }
        return uses
    }
}

/// The links under which attachments are fetched.
public enum AttachmentLink {
    /// The link of an attachment.
    public static func url(of id: AttachmentID, publicURL: PublicURL) -> String {
        "\(publicURL.origin)/api/attachments/\(id.text)"
    }

    /// The attachment that a link of ours names; nil for any other link.
    public static func id(in url: String, publicURL: PublicURL) -> AttachmentID? {
        let prefix = "\(publicURL.origin)/api/attachments/"
        guard url.utf8.starts(with: prefix.utf8) else { return nil }
        return AttachmentID(String(url.utf8.dropFirst(prefix.utf8.count)) ?? "")
    }
}

extension Problem {
    /// The refusal of a payload: its fault, or all its findings.
    public init(_ judgement: Judgement) {
        if let fault = judgement.fault {
            self.init(fault)
            return
        }
        let errors = judgement.errors
        self.init(
            .invalid,
            errors.count == 1 ? errors[0].sentence : "The payload breaks \(errors.count) rules.")
        self.errors = JSONWriter.array(judgement.findings) { $0.raw($1.json.bytes()) }
    }
}
