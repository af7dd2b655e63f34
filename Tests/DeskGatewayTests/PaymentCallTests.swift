import DeskBroker
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import GatewayTestSupport
import Testing

/// The merchant's endpoints, called as a device calls them.
@Suite struct PaymentCallTests {
    private func message(
        in gateway: TestGateway, endpoints: String, session: String = "{}"
    ) async throws -> StoredMessage {
        let payload = """
            {"type":"interactive","interactiveData":{"data":{"version":"1.0",\
            "requestIdentifier":"r-1","payment":{"paymentRequest":{"currencyCode":"USD"},"merchantSession":\(session),\
            "endpoints":{\(endpoints)}}}}}
            """
        let acceptance = try await gateway.parts.broker.accept(
            Submission(
                conversation: gateway.conversation, id: try #require(MessageID(uuid(5))),
                payload: Array(payload.utf8),
                facts: MessageFacts(
                    direction: .outbound, kind: .payment, author: .provider("msp-1"),
                    origin: .gateway)))
        return acceptance.message
    }

    private func business(_ gateway: TestGateway, _ mode: Mode = .test) -> Business {
        Business(
            id: gateway.business, name: "Shop", colour: "#112233", mode: mode,
            createdAt: TestGateway.now)
    }

    struct Answered: Sendable {
        let name: String
        var status = 200
        var body = "{}"
        var error: OutgoingError?
        /// The fault; nil for an answer that is accepted.
        var fault: PaymentCallFault.Code?
        var says = ""
    }

    @Test(arguments: [
        Answered(name: "nothing new"),
        Answered(name: "a new total", body: #"{"newTotal":{"label":"A","amount":"7.00"}}"#),
        Answered(
            name: "a total of nothing", body: #"{"newTotal":{"label":"A","amount":"0.00"}}"#,
            fault: .invalid, says: "/newTotal/amount"),
        Answered(
            name: "a total below zero", body: #"{"newTotal":{"label":"A","amount":"-7.00"}}"#,
            fault: .invalid, says: "more than zero"),
        Answered(name: "500", status: 500, fault: .status, says: "answered 500"),
        Answered(name: "a redirect", status: 302, fault: .status, says: "answered 302"),
        Answered(name: "no JSON", body: "<html>", fault: .invalid, says: "no JSON"),
        Answered(
            name: "a number for an amount", body: #"{"newTotal":{"label":"A","amount":7}}"#,
            fault: .invalid, says: "/newTotal/amount"),
        Answered(
            name: "silence", error: OutgoingError(.timeout, "8 s"), fault: .timeout,
            says: "no answer from shop.example"),
        Answered(
            name: "a private address", error: OutgoingError(.forbidden, "127.0.0.1"),
            fault: .unreachable, says: "forbidden"),
    ])
    func `an endpoint's answer is judged, and the call is in the wire log with what is wrong`(
        _ row: Answered
    ) async throws {
        let gateway = try await TestGateway { _, _ throws(OutgoingError) in
            if let error = row.error { throw error }
            return OutgoingAnswer(
                status: Status(row.status), body: RequestBody(Array(row.body.utf8)))
        }
        let request = try await message(
            in: gateway, endpoints: #""paymentMethodUpdateUrl":"https://shop.example/m?a=1""#)
        let result = await CustomerDevice(gateway.parts).call(
            .paymentMethod(PaymentCard(.debit)), for: request, of: business(gateway),
            in: gateway.conversation)
        let asked = try #require(gateway.client.requests.first)
        #expect(asked.url == "https://shop.example/m?a=1" && asked.method == .post)
        #expect(asked.headers["content-type"] == "application/json")
        let exchange = try #require(try await gateway.exchanges().first)
        #expect(exchange.course == .sent && exchange.message == request.id)
        #expect(String(decoding: exchange.request.body, as: UTF8.self).contains("r-1"))
        let found = String(decoding: exchange.findings, as: UTF8.self)
        switch result {
        case .answered(let document):
            #expect(row.fault == nil && document.bytes == Array(row.body.utf8))
            #expect(found == "")
        case .failed(let fault):
            #expect(fault.code == row.fault)
            #expect(fault.sentence.contains(row.says), "\(fault.sentence)")
            #expect(found.contains("severity"))
        case .notAsked: Issue.record("not asked")
        }
    }

    @Test(arguments: [
        (#"{"newTotal":{"label":"A","amount":"7.005"}}"#, "payment-minor-units"),
        (
            #"{"newLineItems":[{"label":"B","amount":"6.00"}],"newTotal":{"label":"A","amount":"7.00"}}"#,
            "payment-total-differs"
        ),
    ])
    func `a bill that a device shows all the same is accepted, and named in the wire log`(
        _ body: String, _ rule: String
    ) async throws {
        let gateway = try await TestGateway { _, _ in
            OutgoingAnswer(status: .ok, body: RequestBody(Array(body.utf8)))
        }
        let request = try await message(
            in: gateway, endpoints: #""paymentMethodUpdateUrl":"https://shop.example/m""#)
        let result = await CustomerDevice(gateway.parts).call(
            .paymentMethod(PaymentCard(.debit)), for: request, of: business(gateway),
            in: gateway.conversation)
        guard case .answered(let document) = result else {
            Issue.record("not accepted: \(result)")
            return
        }
        #expect(document.bytes == Array(body.utf8))
        let exchange = try #require(try await gateway.exchanges().first)
        #expect(String(decoding: exchange.findings, as: UTF8.self).contains(rule))
    }

    @Test(arguments: [
        "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_INVALID_BILLING_POSTAL_ADDRESS",
        "STATUS_INVALID_SHIPPING_POSTAL_ADDRESS", "STATUS_INVALID_SHIPPING_CONTACT",
        "STATUS_PIN_REQUIRED", "STATUS_PIN_INCORRECT", "STATUS_PIN_LOCKOUT",
    ])
    func `every status of the protocol is read from the payment gateway's answer`(
        _ status: String
    ) async throws {
        let gateway = try await TestGateway { _, _ in
            OutgoingAnswer(
                status: .ok, body: RequestBody(Array(#"{"status":"\#(status)"}"#.utf8)))
        }
        let request = try await message(
            in: gateway, endpoints: #""paymentGatewayUrl":"https://shop.example/pay""#)
        let result = await CustomerDevice(gateway.parts).call(
            .pay(PaymentToken(transaction: "t")), for: request, of: business(gateway),
            in: gateway.conversation)
        #expect(result.status == status)
    }

    @Test(arguments: [
        ("https://shop.example/pay", true), ("shop.example", true), ("SHOP.example:443", true),
        ("", true), ("https://shop.example.evil/pay", false), ("pay.shop.example", false),
        ("https://shop.example@evil.example/", false),
    ])
    func `a gateway at another host than the merchant's session is not paid`(
        _ context: String, _ isPaid: Bool
    ) async throws {
        let gateway = try await TestGateway { _, _ in
            OutgoingAnswer(
                status: .ok, body: RequestBody(Array(#"{"status":"STATUS_SUCCESS"}"#.utf8)))
        }
        let request = try await message(
            in: gateway, endpoints: #""paymentGatewayUrl":"https://shop.example/pay""#,
            session: #"{"initiativeContext":"\#(context)"}"#)
        let result = await CustomerDevice(gateway.parts).call(
            .pay(PaymentToken(transaction: "t")), for: request, of: business(gateway),
            in: gateway.conversation)
        #expect(result.status == (isPaid ? "STATUS_SUCCESS" : nil))
        #expect(gateway.client.requests.count == (isPaid ? 1 : 0))
        guard !isPaid else { return }
        guard case .failed(let fault) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(fault.code == .invalid)
        #expect(fault.sentence.hasPrefix("payment gateway url mismatch"), "\(fault.sentence)")
    }

    @Test
    func `what names no address is not asked, and merchants of live businesses are not either`()
        async throws
    {
        let gateway = try await TestGateway()
        let request = try await message(
            in: gateway, endpoints: #""paymentGatewayUrl":"https://shop.example/pay""#)
        let device = CustomerDevice(gateway.parts)
        let none = await device.call(
            .track, for: request, of: business(gateway), in: gateway.conversation)
        guard case .notAsked = none else {
            Issue.record("\(none)")
            return
        }
        let live = await device.call(
            .pay(PaymentToken(transaction: "t")), for: request, of: business(gateway, .live),
            in: gateway.conversation)
        guard case .failed(let fault) = live else {
            Issue.record("\(live)")
            return
        }
        #expect(fault.code == .notATest && gateway.client.requests.isEmpty)
    }
}
