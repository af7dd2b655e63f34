import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

extension GatewayContext {
    /// Accepts an invitation to a telephone number (protocol page 3.12).
    ///
    /// With the sandbox a number has a phone, which answers there; elsewhere no number is
    /// reachable.
    mutating func acceptInvitation(
        to telephone: String, _ id: MessageID, from link: GatewayLink
    ) async throws(GatewayRefusal) -> Response {
        guard Self.isTelephone(telephone) else {
            throw unreached("destination-id is no number: tel:+ and its digits.")
        }
        let business = try await requireBusiness(of: link)
        guard parts.reachesNumbers, business.mode == .test,
            let customer = Self.customer(telephone, of: link)
        else { throw unreached("Telephone numbers are reached in the sandbox only.") }
        guard request.headers["message-type"]?.lowercased() == "notification" else {
            throw GatewayRefusal(
                .badRequest, "a telephone number is invited with message-type: notification")
        }
        let posted = try await readBody()
        let known = try await parts.asking { store throws(StoreError) in
            try await store.findConversation(of: customer, with: link.business)
        }
        conversation = known?.id
        let judgement = parts.rulebook.judge(
            posted,
            JudgementContext(
                direction: .outbound, now: time, profile: .lenient, mode: business.mode,
                envelope: ExpectedEnvelope(
                    id: id.text, sourceID: Self.sender(in: posted, of: link),
                    destinationID: telephone),
                mayOmitEnvelope: false))
        guard try accept(judgement, at: .message) == .message(.invitation) else {
            throw GatewayRefusal(.badRequest, "only an invitation goes to a telephone number")
        }
        guard known?.hasLeft != true else {
            throw closed("The owner of this number has declined.")
        }
        return try await store(
            judgement, posted, id, in: known,
            Customer(id: customer, name: String(telephone.dropFirst(4))), of: link)
    }

    // MARK: Parts

    /// The refusal for a number that has no owner, in the channel's own words; the wire log has the
    /// reason.
    private mutating func unreached(_ why: String) -> GatewayRefusal {
        remark(why)
        return GatewayRefusal(.notFound, "No device registrations for user")
    }

    /// What an invitation's `sourceId` has to be: the business, or the MSP id where it is sent in
    /// its place, as some providers do (protocol page 3.12, 13.15).
    private static func sender(in posted: [UInt8], of link: GatewayLink) -> String {
        // Safe: what is no JSON is refused for that.
        let stated = try? JSONDocument(parsing: posted).root["sourceId"]
        return stated?.equals(link.mspID) == true ? link.mspID : link.business.text
    }

    private static func isTelephone(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(5)
        return text.utf8.starts(with: "tel:+".utf8) && (6...15).contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Who has a number, under a name of its own for each business that does not show the number.
    private static func customer(_ telephone: String, of link: GatewayLink) -> CustomerID? {
        let code = HMACSHA256.code(
            for: Array(telephone.utf8), key: Array(link.business.text.utf8))
        return CustomerID(CustomerID.prefix + Base64.encode([0x01, 0x00, 0x00, 0x63] + code))
    }

    private mutating func store(
        _ judgement: Judgement, _ posted: [UInt8], _ id: MessageID, in known: Conversation?,
        _ customer: Customer, of link: GatewayLink
    ) async throws(GatewayRefusal) -> Response {
        let place = known?.id ?? ConversationID(parts.broker.makeID())
        let submission = Submission(
            conversation: place, id: id, payload: posted, posted: posted,
            facts: MessageFacts(
                direction: .outbound, kind: .invitation, author: .provider(link.mspID),
                origin: .gateway, warnings: judgement.warningsText,
                summary: Summary.text(of: judgement, direction: .outbound)))
        do throws(BrokerError) {
            let acceptance =
                known == nil
                ? try await parts.broker.open(
                    Opening(
                        business: link.business, customer: customer, conversation: place,
                        message: submission))
                : try await parts.broker.accept(submission)
            conversation = acceptance.message.conversation
            if acceptance.isRepeat { remark("The id was sent before with the same body: dropped.") }
        } catch {
            try answer(error)
        }
        return Response(status: .ok)
    }
}
