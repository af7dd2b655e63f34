import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel

extension GatewayContext {
    /// Meta puts up to a thousand changes into a post, of some forty values each.
    private static let webhookLimits = JSONLimits(nodes: 200_000)

    /// `GET /whatsapp/<link>`: Meta asks whether the callback URL is ours, and shows our token.
    ///
    /// Answered with the challenge and nothing else:
    /// <https://developers.facebook.com/docs/graph-api/webhooks/getting-started>.
    mutating func verifyWhatsApp() throws(GatewayRefusal) -> Response {
        let (link, secrets) = try findWhatsApp()
        self.link = link
        let query = request.query
        let shown = Array((query["hub.verify_token"] ?? "").utf8)
        guard query["hub.mode"] == "subscribe",
            constantTimeEquals(
                SHA256.digest(shown), SHA256.digest(Array(secrets.verifyToken.utf8)))
        else {
            remark("The verify token is another one.")
            throw GatewayRefusal(.forbidden, "the verify token is another one")
        }
        isAuthenticated = true
        let challenge = query["hub.challenge"] ?? ""
        // It is written into the answer: nothing but letters and digits.
        guard (1...256).contains(challenge.utf8.count),
            challenge.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") })
        else { throw GatewayRefusal(.badRequest, "hub.challenge is no challenge") }
        remark("The callback URL is verified.")
        return Response(status: .ok, text: challenge)
    }

    /// `POST /whatsapp/<link>`: what customers send, and what became of what they were sent.
    ///
    /// 200 means that all of it is stored and flushed, or known already. Where a part cannot be stored now, the
    /// answer is 503 and all of it comes again.
    mutating func acceptWhatsApp() async throws(GatewayRefusal) -> Response {
        let (link, secrets) = try findWhatsApp()
        self.link = link
        let posted = try await readSigned(secrets.appSecret)
        try enter(by: link)
        // Safe: the reason is in the sentence that follows.
        guard let root = try? JSONDocument(parsing: posted, limits: Self.webhookLimits).root,
            root.kind == .object
        else { throw GatewayRefusal(.badRequest, "the body is no JSON object") }
        guard root["object"]?.equals("whatsapp_business_account") == true else {
            remark("This is not about a WhatsApp Business Account: dropped.")
            return Response(status: .ok)
        }
        if Self.countMessages(in: root) > 1 { keepEmpty() }
        let routes = route(root, cameAt: WhatsAppNumber(link: link, secrets: secrets))
        defer {
            // An exchange is of one business: of a post for several it names no conversation.
            if routes.areMixed { (conversation, message) = (nil, nil) }
        }
        for entry in Self.elements(root["entry"]) {
            for change in Self.elements(entry["changes"]) {
                try await accept(change, of: entry["id"]?.string, by: routes)
            }
        }
        // Said at the end: what stands behind it is another customer's.
        if hasEarlyStatus {
            throw GatewayRefusal(
                .serviceUnavailable, "the message of a status is being sent, try again",
                retryAfterSeconds: 1)
        }
        return Response(status: .ok)
    }

    private mutating func accept(
        _ change: JSONValue, of account: String?, by routes: WhatsAppRoutes
    ) async throws(GatewayRefusal) {
        guard Self.isOfMessages(change), let value = change["value"] else {
            remark("The field \((change["field"]?.string ?? "").prefix(64)) is not read: dropped.")
            return
        }
        let id = Self.number(of: change)
        guard let number = routes.find(id) else {
            remark(
                "This is for another number, \(id.prefix(64)), that no business here has: dropped.")
            return
        }
        let (link, secrets) = (number.link, number.secrets)
        if let own = WhatsAppSettings(link.settings).accountID, let account,
            !account.utf8.elementsEqual(own.utf8)
        {
            remark("The entry belongs to another account, \(account.prefix(64)): dropped.")
            return
        }
        for error in Self.elements(value["errors"]) {
            remark(
                "WhatsApp reports: "
                    + (WhatsAppFault.sentence(error, code: error["code"]?.int) ?? "an error"))
        }
        for message in Self.elements(value["messages"]) {
            try await accept(message, of: value, over: link, secrets)
        }
        for status in Self.elements(value["statuses"]) {
            try await accept(status: status, over: link)
        }
    }

    private static func countMessages(in root: JSONValue) -> Int {
        elements(root["entry"]).reduce(0) { count, entry in
            elements(entry["changes"]).reduce(count) { count, change in
                count + elements(change["value"]?["messages"]).count
            }
        }
    }

    /// The elements of an array; none of anything else.
    static func elements(_ list: JSONValue?) -> [JSONValue] {
        guard let list, list.kind == .array else { return [] }
        return Array(list.elements)
    }

    // MARK: Sender

    private func findWhatsApp() throws(GatewayRefusal) -> (GatewayLink, WhatsAppSecrets) {
        guard let id = request.parameters["link"].flatMap({ GatewayLinkID($0) }),
            let link = parts.links.find(id), link.side == .whatsapp
        else { throw GatewayRefusal(.notFound, "there is no such endpoint here") }
        guard let secrets = WhatsAppSecrets(link.secret) else {
            throw GatewayRefusal(.serviceUnavailable, "the secrets of the number are missing")
        }
        return (link, secrets)
    }

    /// Reads the body and verifies the signature over its bytes as they came.
    private mutating func readSigned(_ secret: String) async throws(GatewayRefusal) -> [UInt8] {
        guard let field = request.headers["x-hub-signature-256"], !field.isEmpty else {
            throw GatewayRefusal(.unauthorized, "the header X-Hub-Signature-256 is missing")
        }
        let posted: [UInt8]
        do throws(BodyError) {
            posted = try await request.body.collect(upTo: Self.maximumBodyBytes)
        } catch {
            throw GatewayRefusal(error.status, "the body could not be read: \(error.code)")
        }
        body = posted
        bodyBytes = posted.count
        guard
            WhatsAppSignature.verifies(field, for: posted, key: Array(secret.utf8))
        else {
            remark("The signature is refused.")
            throw GatewayRefusal(.forbidden, "the signature is not that of the app secret")
        }
        return posted
    }
}

/// What Meta signs its posts with: `sha256=` and the digits of an HMAC over the bytes of the body.
package enum WhatsAppSignature {
    private static let prefix = "sha256="

    /// Whether the field's value belongs to the bytes and the key; compared in constant time.
    package static func verifies(_ field: String, for bytes: [UInt8], key: [UInt8]) -> Bool {
        guard field.utf8.starts(with: prefix.utf8),
            let code = Hex.decode(String(field.dropFirst(prefix.count)))
        else { return false }
        return HMACSHA256.verifies(code, for: bytes, key: key)
    }

    /// The field's value for these bytes.
    package static func field(for bytes: [UInt8], key: [UInt8]) -> String {
        prefix + Hex.encode(HMACSHA256.code(for: bytes, key: key))
    }
}
