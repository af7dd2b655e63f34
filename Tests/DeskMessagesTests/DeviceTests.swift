import DeskJSON
import DeskMessages
import DeskModel
import Testing

/// What a device reads of requests to sign in and to pay, and what it writes.
struct DeviceTests {
    static let context = JudgementContext(direction: .inbound, now: Corpus.now)

    struct SignInCase: Sendable {
        let name: String
        let signIn: SignIn
        let status: String
        var code: Int?
        var domain: String?
        var token: String?
        var title = "Authentication Failed"
        var summary = "Did not sign in"
    }

    static let signIns: [SignInCase] = {
        var sealed = SignIn(.granted, name: "Ana")
        sealed.sealedToken = "QUJD"
        var broken = SignIn(.failed)
        broken.fault = .noKey
        return [
            SignInCase(
                name: "valid-key", signIn: sealed, status: "authenticated", token: "QUJD",
                title: "Signed in", summary: "Signed in"),
            SignInCase(
                name: "valid-redirect", signIn: SignIn(.granted), status: "authenticated",
                title: "Signed in", summary: "Signed in"),
            SignInCase(
                name: "valid-key", signIn: SignIn(.refused), status: "failed", code: 0,
                domain: "com.apple.icloud.messages.business.authentication.error"),
            SignInCase(
                name: "valid-key", signIn: broken, status: "failed", code: 2,
                domain: "com.apple.icloud.messages.business.cryptor"),
            SignInCase(
                name: "valid-redirect", signIn: SignIn(.failed), status: "failed", code: 0,
                domain: "com.apple.icloud.messages.business.internalAuthentication"),
            SignInCase(
                name: "valid-version-two", signIn: SignIn(.canceled), status: "failed", code: 1,
                domain: "com.apple.AuthenticationServices.WebAuthenticationSession"),
        ]
    }()

    @Test(arguments: signIns)
    func `an answer to a sign-in passes the strict rules and says what became of it`(
        _ row: SignInCase
    ) throws {
        let reply = try Reply.make(
            to: Corpus.payload("outbound/authentication/\(row.name)"),
            choice: .signIn(row.signIn),
            envelope: ReplyEnvelope(
                id: "6f2d1c5e-0000-4000-8000-0000000000ff", sourceID: "urn:mbid:AQAA",
                destinationID: "b9159070-c454-4135-8bf3-049809624818", locale: "en_US",
                newSession: "9c1b2f5e-1111-4a6b-9d0a-0000000000bb"))
        let judgement = try Corpus.rulebook.get().judge(reply.payload, Self.context)
        #expect(judgement.findings.isEmpty)
        #expect(reply.kind == .authentication && reply.summary == row.summary)
        let data = try JSONDocument(parsing: reply.payload).root["interactiveData"]?["data"]
        let answer = data?["authenticate"]
        #expect(answer?["status"]?.string == row.status)
        #expect(answer?["token"]?.string == row.token)
        #expect(answer?["errors"]?[0]?["code"]?.int == row.code)
        #expect(answer?["errors"]?[0]?["domain"]?.string == row.domain)
        #expect(data?["replyMessage"]?["title"]?.string == row.title)
        #expect(data?["replyMessage"]?["alternateTitle"]?.string == row.title)
        #expect(data?["replyMessage"]?["style"]?.string == "icon")
        #expect(data?["requestIdentifier"]?.string == "9c1b2f5e-1111-4a6b-9d0a-000000000007")
    }

    struct ProblemCase: Sendable {
        let oauth2: String
        var version = "1.0"
        var is2 = false
        var problems: [SignInProblem] = []
        var mode = Mode.live
    }

    @Test(arguments: [
        ProblemCase(
            oauth2: #""responseType":"code","scope":["a"],"state":"s","responseEncryptionKey":"K""#),
        ProblemCase(
            oauth2: #""responseType":"token","scope":["a"],"state":"s","responseEncryptionKey":"K""#
        ),
        ProblemCase(
            oauth2: #""responseType":"code","scope":["a"],"state":"s","responseEncryptionKey":"X""#,
            problems: [.keyNotAPoint]),
        ProblemCase(
            oauth2: #""responseType":"id","scope":[],"state":"""#,
            problems: [.keyMissing, .responseTypeUnknown, .scopeMissing, .stateMissing]),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"https://a.b/""#,
            is2: true),
        ProblemCase(
            oauth2: #""responseType":"code","scope":["a"],"state":"s","responseEncryptionKey":"K""#,
            version: "2.0", is2: true, problems: [.redirectMissing]),
        ProblemCase(
            oauth2:
                #""responseType":"token","scope":["a"],"state":"s","redirectURI":"http://a.b/""#,
            is2: true, problems: [.redirectNotUsable, .responseTypeNotCode]),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"https://a.b/#c""#,
            is2: true, problems: [.redirectNotUsable]),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"http://127.0.0.1:9000/in""#,
            is2: true, problems: [.redirectNotUsable]),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"http://127.0.0.1:9000/in""#,
            is2: true, mode: .test),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"http://[::1]/in?a""#,
            is2: true, mode: .test),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"http://LOCALHOST""#,
            is2: true, mode: .test),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"http://127.0.0.1.evil.example/""#,
            is2: true, problems: [.redirectNotUsable], mode: .test),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"http://localhost@evil.example/""#,
            is2: true, problems: [.redirectNotUsable], mode: .test),
        ProblemCase(
            oauth2:
                #""responseType":"code","scope":["a"],"state":"s","redirectURI":"http://a.b/""#,
            is2: true, problems: [.redirectNotUsable], mode: .test),
    ])
    func `a request to sign in is of one version, and what keeps it from working is named`(
        _ row: ProblemCase
    ) throws {
        let payload = """
            {"type":"interactive","interactiveData":{"data":{"version":"\(row.version)",\
            "authenticate":{"oauth2":{\(row.oauth2)}}}}}
            """
        let request = try #require(SignInRequest(Array(payload.utf8)))
        #expect(request.version == (row.is2 ? .second : .first))
        #expect(request.problems(in: row.mode) { $0 == "K" } == row.problems)
        #expect(SignInRequest(Array("{}".utf8)) == nil)
    }

    struct CallCase: Sendable {
        let posted: String
        let endpoint: String
        let schema: String
        let says: String
    }

    @Test(arguments: [
        CallCase(
            posted: #"{"paymentMethod":{"type":"debit","network":"amex"}}"#,
            endpoint: "paymentMethodUpdateUrl", schema: "payment-method-update-request",
            says: #""paymentMethod":{"displayName":"AmEx 1234","network":"AmEx","type":"Debit"}"#),
        CallCase(
            posted:
                #"{"shippingContact":{"givenName":"Hana","addressLines":["1"],"postalCode":"530"}}"#,
            endpoint: "shippingContactUpdateUrl", schema: "shipping-contact-update-request",
            says: #""shippingContact":{"givenName":"","familyName":"","phoneticGivenName":"","#
                + #""phoneticFamilyName":"","emailAddress":"","phoneNumber":"","addressLines":[],"#
                + #""locality":"","subLocality":"","administrativeArea":"","#
                + #""subAdministrativeArea":"","postalCode":"530","country":"","countryCode":""}"#),
        CallCase(
            posted: #"{"paymentMethod":{"type":"credit"}}"#,
            endpoint: "paymentMethodUpdateUrl", schema: "payment-method-update-request",
            says: #"{"displayName":"Visa 1234","network":"Visa","type":"Credit"}"#),
        CallCase(
            posted: #"{"shippingMethod":{"identifier":"post","label":"Post","amount":"2.00"}}"#,
            endpoint: "shippingMethodUpdateUrl", schema: "shipping-method-update-request",
            says:
                #""shippingMethod":{"identifier":"post","label":"Post","amount":"2.00","type":"Final"}"#
        ),
    ])
    func `a change on the sheet becomes the call that the protocol describes`(
        _ row: CallCase
    ) throws {
        let call = try PaymentCall(update: Array(row.posted.utf8))
        #expect(call.endpointName == row.endpoint)
        try expect(call, passes: row.schema, says: row.says)
    }

    @Test func `a payment's call carries the contacts and a token that says it is a test`() throws {
        let posted = #"""
            {"id":"a","inReplyTo":"b","payment":{"outcome":"success","card":{"type":"credit"},
            "shippingContact":{"givenName":"Hana"},"billingContact":{"postalCode":"530"}}}
            """#
        let choice = try PostedChoice(json: Array(posted.utf8)).choice
        guard case .payment(.success, nil, nil, let shipping, let billing, let card) = choice else {
            Issue.record("\(choice)")
            return
        }
        let token = PaymentToken(
            card: card, billingContact: billing, shippingContact: shipping, transaction: "7")
        let says = #""shippingContact":{"givenName":"Hana"},"paymentToken":{"paymentMethod":{"#
        try expect(.pay(token), passes: "payment-gateway-request", says: says)
        try expect(
            .pay(token), passes: "payment-gateway-request", says: #""billingContact":{"postal"#)
        try expect(.pay(token), passes: "payment-gateway-request", says: "No card is charged")
        try expect(.track, passes: "order-tracking-request", says: #""version":"1.0""#)
    }

    @Test(arguments: [
        "[]", "{}", #"{"paymentMethod":{"type":"cash"}}"#, #"{"shippingMethod":{"label":"x"}}"#,
        #"{"shippingContact":{"city":"Osaka"}}"#, #"{"other":{}}"#,
        #"{"paymentMethod":{"type":"credit"},"shippingMethod":{"identifier":"x"}}"#,
    ])
    func `a change that is none is refused`(_ posted: String) {
        #expect(throws: ReplyError.self) { try PaymentCall(update: Array(posted.utf8)) }
    }

    private func expect(
        _ call: PaymentCall, passes schema: String, says: String
    ) throws {
        let request = try Corpus.payload("outbound/payment/valid-shipping")
        let body = call.body(of: request)
        let judgement = try Corpus.rulebook.get().judge(
            body, asDocument: "callback/\(schema)", Self.context)
        #expect(judgement?.findings.isEmpty == true)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains(says), "\(text)")
        #expect(text.contains("9c1b2f5e-1111-4a6b-9d0a-000000000005"))
    }

    /// What a call says after the request of an example was asked for it.
    private func offered(
        _ posted: String, replacing part: String = "", with other: String = ""
    ) throws -> String {
        let text = String(
            decoding: try Corpus.payload("outbound/payment/valid-shipping"), as: UTF8.self)
        let request = Array((part.isEmpty ? text : text.replacing(part, with: other)).utf8)
        let call = try PaymentCall(update: Array(posted.utf8)).offered(by: request)
        return String(decoding: call.body(of: request), as: UTF8.self)
    }

    @Test func `a way to ship goes to the merchant in the words of the request`() throws {
        let courier =
            #"{"identifier":"courier","label":"Courier","detail":"Today","amount":"9.00","type":"Final"}"#
        for posted in ["", #","label":"Free!","amount":"-100.00""#] {
            let text = try offered(#"{"shippingMethod":{"identifier":"courier"\#(posted)}}"#)
            #expect(text.contains(courier), "\(text)")
        }
        let pigeon = #"{"shippingMethod":{"identifier":"pigeon","label":"Free!","amount":"-9.00"}}"#
        #expect(throws: ReplyError.self) { _ = try offered(pigeon) }
        // Who is asked about addresses may offer others, at other prices.
        let updates = (
            #""endpoints": {"#,
            #""endpoints": { "shippingContactUpdateUrl": "https://shop.example.com/contact","#
        )
        #expect(
            try offered(pigeon, replacing: updates.0, with: updates.1).contains(#""label":"Free!""#)
        )
        let dearer = #"{"shippingMethod":{"identifier":"courier","amount":"12.00"}}"#
        #expect(
            try offered(dearer, replacing: updates.0, with: updates.1)
                .contains(#""label":"Courier","detail":"Today","amount":"12.00""#))
    }

    @Test func `a card is of a network that the merchant accepts`() throws {
        let named = try offered(#"{"paymentMethod":{"type":"credit","network":"MasterCard"}}"#)
        #expect(named.contains(#""network":"MasterCard""#), "\(named)")
        let first = try offered(#"{"paymentMethod":{"type":"credit"}}"#)
        #expect(first.contains(#""network":"AmEx""#), "\(first)")
        #expect(throws: ReplyError.self) {
            _ = try offered(#"{"paymentMethod":{"type":"credit","network":"jcb"}}"#)
        }
    }

    struct ContactCase: Sendable {
        var fields = #"["postalAddress", "name"]"#
        var contact = "{}"
        var isEnough = false
    }

    @Test(arguments: [
        ContactCase(),
        ContactCase(contact: #"{"givenName":"Hana"}"#),
        ContactCase(contact: #"{"addressLines":["1"]}"#),
        ContactCase(contact: #"{"familyName":"","addressLines":[""]}"#),
        ContactCase(contact: #"{"familyName":"Sato","postalCode":"530"}"#, isEnough: true),
        ContactCase(fields: #"["phone","email"]"#, contact: #"{"phoneNumber":"1"}"#),
        ContactCase(
            fields: #"["phone","email"]"#, contact: #"{"phoneNumber":"1","emailAddress":"a@b.c"}"#,
            isEnough: true),
        ContactCase(fields: "null", isEnough: true),
        ContactCase(fields: #"["shoeSize"]"#, isEnough: true),
    ])
    func `a payment has the contact that the request requires`(_ row: ContactCase) throws {
        let text = String(
            decoding: try Corpus.payload("outbound/payment/valid-shipping"), as: UTF8.self)
        for (side, member) in [("Shipping", "shippingContact"), ("Billing", "billingContact")] {
            let request = Array(
                text.replacing(
                    #""requiredShippingContactFields": ["postalAddress", "name"]"#,
                    with: #""required\#(side)ContactFields": \#(row.fields)"#
                ).utf8)
            let posted =
                #"{"id":"a","inReplyTo":"b","payment":{"outcome":"success","\#(member)":"#
                + row.contact + "}}"
            let choice = try PostedChoice(json: Array(posted.utf8)).choice
            guard case .payment(_, _, _, let shipping, let billing, let card) = choice else {
                return
            }
            let call = PaymentCall.pay(
                PaymentToken(
                    card: card, billingContact: billing, shippingContact: shipping,
                    transaction: "7"))
            guard !row.isEnough else {
                _ = try call.offered(by: request)
                continue
            }
            let error = try #require(throws: ReplyError.self) { _ = try call.offered(by: request) }
            #expect(error.code == .badChoice && error.detail.contains(member))
            // What a script pays with is enough.
            let invented = try #require(PaymentOffer(request)).inventedContacts
            _ = try PaymentCall.pay(
                PaymentToken(
                    billingContact: invented.billing, shippingContact: invented.shipping,
                    transaction: "7")
            ).offered(by: request)
        }
    }
}
