import DeskBroker
import DeskBytes
package import DeskHTTP
import DeskJSON
package import DeskModel

/// One request to the gateway on its way through: its sender, its subject, what was found.
package struct GatewayContext: Sendable {
    /// Largest JSON body, packed or not.
    package static let maximumBodyBytes = 4_194_304

    package let request: Request
    package let parts: GatewayParts
    let demand: RouteDemand
    let trace: RequestTrace
    let begin: ContinuousClock.Instant
    package let time: Timestamp
    /// The link that the token names, also before the token is verified.
    package var link: GatewayLink?
    /// Whether the token, or the signed address, was verified.
    package var isAuthenticated = false
    var conversation: ConversationID?
    var message: MessageID?
    /// The body as read and unpacked, for the wire log.
    package var body: [UInt8] = []
    var bodyBytes = 0
    /// Whether a fault dial keeps the answer back.
    var isCut = false
    /// Whether a fault dial makes the links that are answered expired.
    var hasExpiredLinks = false
    /// Whether a status came of a message that is being sent still.
    var hasEarlyStatus = false
    /// Whether it brought a message that was stored, which is passed over when it comes again.
    var hasStored = false
    /// Whether the wire log keeps that it came, and nothing of what it brought.
    private var isKeptEmpty = false
    /// What the wire log says about it, as JSON values.
    var findings: [JSON] = []
    /// Most sentences that the wire log has of one request; further ones are counted.
    private static let mostRemarks = 100
    private var remarks = 0

    init(
        _ request: Request, _ parts: GatewayParts, _ demand: RouteDemand, _ trace: RequestTrace
    ) {
        self.request = request
        self.parts = parts
        self.demand = demand
        self.trace = trace
        begin = parts.time.instant()
        time = parts.time.now()
    }

    /// Adds a sentence to the wire log; of a post that would give it very many the first hundred.
    mutating func remark(_ sentence: String) {
        remarks += 1
        guard remarks <= Self.mostRemarks else { return }
        findings.append(["severity": "info", "found": .string(sentence)])
    }

    /// Has the wire log keep nothing of what it brought: it brought several messages, each of which may be erased by
    /// itself, and an exchange belongs to one.
    mutating func keepEmpty(
        because reason: String = "It brought several messages: the content is with them alone."
    ) {
        isKeptEmpty = true
        remark(reason)
    }

    /// Drops a message whose id is that of an erased one.
    ///
    /// The wire log keeps that it came, and neither its fields nor its content. The answer is that of
    /// every repeated id: in the channel's words a 410 says that the customer left.
    mutating func dropErased() {
        isKeptEmpty = true
        (findings, remarks) = ([], 0)
        remark("The id came before, and its content is erased: this one is dropped.")
    }

    /// Drops what a blocked customer does: the wire log keeps that it came, and nothing of it.
    mutating func dropBlocked() {
        isKeptEmpty = true
        (findings, remarks) = ([], 0)
        remark("The customer is blocked: this is dropped.")
    }

    /// A field that has one value; nil where it is missing or empty.
    ///
    /// - Throws: a refusal that says so where it is sent several times: which of them is meant is not known, and
    ///   what is between us may read another one.
    func find(_ name: String) throws(GatewayRefusal) -> String? {
        let values = request.headers.values(name)
        guard values.count < 2 else {
            throw GatewayRefusal(
                .badRequest, "the header \(name) is sent \(values.count) times: send it once")
        }
        return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A field that must be there, once.
    func require(_ name: String) throws(GatewayRefusal) -> String {
        guard let value = try find(name) else {
            throw GatewayRefusal(.badRequest, "the header \(name) is missing")
        }
        return value
    }

    /// The first of several names that a field has had over the years.
    func require(anyOf names: [String]) throws(GatewayRefusal) -> String {
        for name in names {
            if let value = try find(name) { return value }
        }
        throw GatewayRefusal(.badRequest, "the header \(names[0]) is missing")
    }

    /// Reads the body and unpacks it; a packed body is never unpacked beyond the limit.
    ///
    /// A body that begins as gzip does is gzip, also where a proxy removed the field that says so
    /// (protocol page 13.20): no JSON and no property list begins like that.
    package mutating func readBody(
        upTo limit: Int = maximumBodyBytes
    ) async throws(GatewayRefusal) -> [UInt8] {
        let read: [UInt8]
        do throws(BodyError) {
            read = try await request.body.collect(upTo: limit)
        } catch {
            throw GatewayRefusal(error.status, "the body could not be read: \(error.code)")
        }
        bodyBytes = read.count
        body = read
        switch request.headers["content-encoding"]?.lowercased() {
        case nil, "identity":
            guard Gzip.isGzip(read) else { return read }
            body = try Self.unpacked(read, limit, "the body begins as gzip does, and is damaged")
            return body
        case "gzip", "x-gzip":
            body = try Self.unpacked(read, limit, "the body is not gzip, as its header says")
            return body
        case let coding?:
            throw GatewayRefusal(
                .unsupportedMediaType, "Content-Encoding is \(coding); gzip and none are read")
        }
    }

    private static func unpacked(
        _ packed: [UInt8], _ limit: Int, _ damage: String
    ) throws(GatewayRefusal) -> [UInt8] {
        do throws(GzipError) {
            return try Gzip.decompress(packed, limitBytes: limit)
        } catch .tooLarge {
            throw GatewayRefusal(
                .contentTooLarge, "the body is over \(limit) bytes when it is unpacked")
        } catch {
            throw GatewayRefusal(.badRequest, damage)
        }
    }

    /// How many sentences the wire log does not have.
    private var furtherRemarks: [JSON] {
        let count = remarks - Self.mostRemarks
        guard count > 0 else { return [] }
        return [["severity": "info", "found": .string("\(count) further remarks are not listed.")]]
    }

    /// What the wire log keeps of it.
    func exchange(answered response: Response) -> WireExchange? {
        guard let link,
            isAuthenticated || parts.unauthenticated.take(from: link.id, at: begin).isAllowed
        else { return nil }
        let answer: [UInt8] =
            if case .bytes(let bytes) = response.body { bytes } else { [] }
        let passed = begin.duration(to: parts.time.instant())
        return WireExchange(
            link: link.id, business: link.business, conversation: conversation, message: message,
            course: .received, time: time, milliseconds: Int(passed / .milliseconds(1)),
            method: request.method.token, target: WireText.blanked(target: request.target),
            request: isKeptEmpty
                ? .init(headers: [], body: [], byteCount: bodyBytes)
                : .init(
                    headers: WireText.blanked(request.headers), body: WireText.blanked(body: body),
                    byteCount: bodyBytes),
            status: response.status.code,
            answer: .init(
                headers: WireText.blanked(response.headers),
                body: WireText.blanked(body: answer),
                byteCount: answer.count),
            findings: findings.isEmpty ? [] : JSON.array(findings + furtherRemarks).bytes())
    }
}
