import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

struct PhoneDeviceTests {
    /// A phone with one card of the business's before it.
    struct Desk {
        let server: TestServer
        let device: ScriptedDevice
        let phone: TestServer.Caller
        let card: String
        let conversation: ConversationID
        let business: Business

        init(_ kind: String, of isLive: Bool = false) async throws {
            let device = ScriptedDevice()
            self.device = device
            server = try await TestServer(device: device)
            business = isLive ? server.other : server.business
            let said = try await server.post(
                "/api/phone/\(business.id)/messages",
                #"{"id":"\#(server.services.broker.makeID())","text":"Hi","locale":"en_US"}"#)
            phone = .customer(try #require(said.cookie("fdc")))
            let name = try #require(said["message"]?["conversation"]?.string)
            conversation = try #require(ConversationID(name))
            let example = "Schemas/examples/outbound/\(kind).json"
            let payload = Array(try #require(TestFiles.text(example)).utf8)
            let message = MessageKind(
                rawValue: kind.hasPrefix("payment") ? "payment" : "authentication")
            let acceptance = try await server.services.broker.accept(
                Submission(
                    conversation: conversation, id: server.services.broker.makeMessageID(),
                    payload: payload,
                    facts: MessageFacts(
                        direction: .outbound, kind: try #require(message), author: .provider("m"),
                        origin: .gateway)))
            card = acceptance.message.id.text
        }

        /// Answers the card.
        func choose(_ choice: String, id: String? = nil) async throws -> Answer {
            let id = id ?? server.services.broker.makeID().text
            return try await server.post(
                "/api/phone/\(business.id)/choices",
                #"{"id":"\#(id)","inReplyTo":"\#(card)",\#(choice)}"#, by: phone)
        }

        /// Erases one of the conversation's messages.
        func erase(_ id: String) async throws {
            let order = Erasing(
                [try #require(MessageID(id))], in: conversation, by: .server, at: server.time.now)
            _ = try await server.store.append(order).get()
        }

        /// How many messages the conversation has beside the first two.
        func answers() async throws -> Int {
            let found = try await server.store.findConversation(conversation)
            return Int(try #require(found).newest.value) - 2
        }
    }

    private static let contact = #""shippingContact":{"givenName":"Hana","postalCode":"530"}"#
    private let pay = #""payment":{"outcome":"success",\#(Self.contact)}"#

    @Test func `a payment is asked of the merchant first, and stored when it was accepted`()
        async throws
    {
        let desk = try await Desk("payment/valid-shipping")
        try desk.device.answer(#"{"status":"STATUS_PIN_REQUIRED"}"#)
        let refused = try await desk.choose(pay)
        #expect(refused.status == 422 && refused.code == "payment_refused")
        #expect(refused["paymentStatus"]?.string == "STATUS_PIN_REQUIRED")
        desk.device.fail(.timeout)
        let silent = try await desk.choose(pay)
        #expect(silent.code == "payment_refused" && silent["paymentStatus"] == nil)
        #expect(silent["detail"]?.string?.contains("a sentence") == true)
        #expect(try await desk.answers() == 0)

        try desk.device.answer(#"{"status":"STATUS_SUCCESS"}"#)
        let id = desk.server.services.broker.makeID().text
        let paid = try await desk.choose(pay, id: id)
        #expect(paid.status == 201)
        let calls = desk.device.calls.map(\.endpointName)
        #expect(calls == Array(repeating: "paymentGatewayUrl", count: 3) + ["orderTrackingUrl"])
        let again = try await desk.choose(pay, id: id)
        #expect(again.status == 201 && again.bytes == paid.bytes)
        #expect(desk.device.calls.count == 4, "a repeat calls no merchant")
        #expect(try await desk.choose(pay).code == "not_offered")
        #expect(desk.device.calls.count == 4)
        #expect(try await desk.answers() == 1)
    }

    @Test(arguments: [
        (#""outcome":"success","shippingMethod":"zz",\#(Self.contact)"#, "not_offered"),
        (#""outcome":"success","status":"paid",\#(Self.contact)"#, "invalid"),
        (
            #""outcome":"success","card":{"type":"debit","network":"jcb"},\#(Self.contact)"#,
            "not_offered"
        ),
        (#""outcome":"success""#, "invalid"),
        (#""outcome":"success","shippingContact":{"givenName":"Hana"}"#, "invalid"),
    ])
    func `what the request does not offer is refused before the merchant is asked for money`(
        _ payment: String, _ code: String
    ) async throws {
        let desk = try await Desk("payment/valid-shipping")
        try desk.device.answer(#"{"status":"STATUS_SUCCESS"}"#)
        let refused = try await desk.choose(#""payment":{\#(payment)}"#)
        #expect(refused.status == 422 && refused.code == code, "\(refused.text)")
        #expect(desk.device.calls.isEmpty)
        #expect(try await desk.answers() == 0)
    }

    @Test func `a payment whose answer was erased is not asked for again, under any id`()
        async throws
    {
        let desk = try await Desk("payment/valid-shipping")
        try desk.device.answer(#"{"status":"STATUS_SUCCESS"}"#)
        let id = desk.server.services.broker.makeID().text
        #expect(try await desk.choose(pay, id: id).status == 201)
        let calls = desk.device.calls.count
        try await desk.erase(id)
        #expect(try await desk.choose(pay, id: id).code == "message_erased")
        #expect(try await desk.choose(pay).code == "not_offered")
        #expect(desk.device.calls.count == calls)
        #expect(try await desk.answers() == 1)
    }

    @Test func `an erased request offers nothing, and its merchant is not asked`() async throws {
        let desk = try await Desk("payment/valid-shipping")
        try await desk.erase(desk.card)
        #expect(try await desk.choose(pay).code == "not_offered")
        #expect(desk.device.calls.isEmpty)
        #expect(try await desk.answers() == 0)
    }

    @Test(arguments: [
        #""payment":{"outcome":"failure","status":"STATUS_TIMEOUT"}"#,
        #""payment":{"outcome":"failure","status":"STATUS_PIN_LOCKOUT"}"#,
        #""payment":{"outcome":"canceled"}"#,
    ])
    func `a payment that shall not succeed calls no merchant`(_ choice: String) async throws {
        let desk = try await Desk("payment/valid-shipping")
        #expect(try await desk.choose(choice).status == 201)
        #expect(desk.device.calls.isEmpty)
    }

    @Test func `a change on the sheet is asked of the merchant, and what it answered comes back`()
        async throws
    {
        let desk = try await Desk("payment/valid-shipping")
        let path = "/api/phone/\(desk.business.id)/payments/\(desk.card)"
        let change = #"{"shippingMethod":{"identifier":"post"}}"#
        let none = try await desk.server.post(path, change, by: desk.phone)
        #expect(none["update"]?.count == 0 && none["problem"]?.isNull == true)
        try desk.device.answer(#"{"newTotal":{"label":"A","amount":"2.00"}}"#)
        let news = try await desk.server.post(path, change, by: desk.phone)
        #expect(news["update"]?["newTotal"]?["amount"]?.string == "2.00")
        desk.device.fail(.unreachable)
        let fault = try await desk.server.post(path, change, by: desk.phone)
        #expect(fault.status == 200 && fault["problem"]?["code"]?.string == "unreachable")
        #expect(try await desk.server.post(path, "{}", by: desk.phone).code == "invalid")
        let asked = desk.device.calls.count
        let zz = #"{"shippingMethod":{"identifier":"zz","label":"Free!","amount":"-100.00"}}"#
        #expect(try await desk.server.post(path, zz, by: desk.phone).code == "not_offered")
        #expect(desk.device.calls.count == asked)
        let other = try await Desk("authentication/valid-key")
        let wrong = try await other.server.post(
            "/api/phone/\(other.business.id)/payments/\(other.card)", change, by: other.phone)
        #expect(wrong.code == "not_offered")
    }

    @Test func `a customer signs in once, and the browser is sent on`() async throws {
        let desk = try await Desk("authentication/valid-redirect")
        let path = "/api/phone/\(desk.business.id)/sign-ins/\(desk.card)"
        let before = try await desk.server.get(path, by: desk.phone)
        #expect(before["version"]?.int == 2 && before["over"]?.bool == false)
        #expect(before["problems"]?[0]?.string == "key_not_a_point")
        #expect(before["clientId"]?.string == desk.business.id.text)
        #expect(try await desk.choose(#""signIn":{"outcome":"refused"}"#).status == 201)
        let granted = try await desk.choose(#""signIn":{"outcome":"granted","name":"Ana"}"#)
        #expect(granted.status == 201)
        #expect(granted["redirect"]?.string == "https://shop.example/in?code=1")
        let answer = granted["message"]?["payload"]?["interactiveData"]?["data"]?["authenticate"]
        #expect(answer?["status"]?.string == "authenticated")
        #expect(try await desk.choose(#""signIn":{"outcome":"granted"}"#).code == "not_offered")
        #expect(try await desk.server.get(path, by: desk.phone)["over"]?.bool == true)
        for wrong in [#"{"outcome":"perhaps"}"#, #"{"outcome":"granted","name":7}"#, "{}"] {
            #expect(try await desk.choose(#""signIn":\#(wrong)"#).code == "invalid")
        }
        let long = String(repeating: "a", count: SignIn.maximumNameBytes + 1)
        #expect(
            try await desk.choose(#""signIn":{"outcome":"granted","name":"\#(long)"}"#).code
                == "invalid")
    }

    @Test func `the sandbox vouches for no live business's customer`()
        async throws
    {
        let desk = try await Desk("authentication/valid-redirect", of: true)
        let path = "/api/phone/\(desk.business.id)/sign-ins/\(desk.card)"
        #expect(try await desk.server.get(path, by: desk.phone).code == "not_offered")
        #expect(try await desk.choose(#""signIn":{"outcome":"granted"}"#).code == "not_offered")
        #expect(try await desk.answers() == 0)
        let found = try await desk.server.store.findConversation(desk.conversation)
        #expect(found?.customer.capabilities?.contains("AUTH") == false)
        let test = try await Desk("authentication/valid-redirect")
        let other = try await test.server.store.findConversation(test.conversation)
        #expect(other?.customer.capabilities?.contains("AUTH2") == true)
    }
}
