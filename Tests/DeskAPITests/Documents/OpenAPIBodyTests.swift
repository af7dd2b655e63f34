import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// What docs/openapi.json says of bodies against what the routes accept.
struct OpenAPIBodyTests {
    /// Bodies whose members the protocol or a device decides; what is unknown there is carried on.
    private static let open: Set<String> = [
        "sendMessage", "validate", "sendPhoneChoice", "updatePhonePayment", "processPayment",
        "updatePaymentMethod", "updateShippingContact", "updateShippingMethod", "trackOrder",
        "requestMerchantSession", "translate", "useMCP",
    ]

    /// A body of JSON that a file describes, with its operation.
    private struct Described {
        let name: String
        let method: String
        let path: String
        let schema: JSONValue
    }

    /// Unchanged: the check of answers works with one that it has closed itself.
    private static let paths: JSONValue? = {
        // Safe: a file that cannot be read has no paths, and the tests below find none.
        let text = TestFiles.text("docs/openapi.json") ?? ""
        return try? JSONDocument(parsing: Array(text.utf8), limits: .unlimited).root["paths"]
    }()

    private static var bodies: [Described] {
        OpenAPICheck.shared.operations.compactMap { operation in
            let body = Self.paths?[operation.path]?[operation.method.lowercased()]?["requestBody"]
            return body?["content"]?["application/json"]?["schema"].map {
                Described(
                    name: operation.name, method: operation.method, path: operation.path,
                    schema: $0)
            }
        }
    }

    @Test func `every body says what it excludes and how long its texts are`() {
        var closed = 0
        for body in Self.bodies where !Self.open.contains(body.name) {
            #expect(body.schema["additionalProperties"]?.bool == false, "\(body.name)")
            guard let properties = body.schema["properties"] else { continue }
            for member in properties.members {
                guard member.value["type"]?.equals("string") == true else { continue }
                let bounds = ["maxLength", "enum", "pattern", "format"]
                let isBounded = bounds.contains { (name: String) in member.value[name] != nil }
                #expect(isBounded, "\(body.name) \(member.key)")
            }
            closed += 1
        }
        #expect(closed > 25)
    }

    @Test func `every body of any type has a schema`() {
        for operation in OpenAPICheck.shared.operations {
            let content = Self.paths?[operation.path]?[operation.method.lowercased()]?[
                "requestBody"]?[
                    "content"]
            guard let content else { continue }
            for type in content.members {
                #expect(type.value["schema"] != nil, "\(operation.name) \(type.key)")
            }
        }
    }

    @Test func `every operation describes what a request that cannot be read gets`() {
        for operation in OpenAPICheck.shared.operations {
            let responses = Self.paths?[operation.path]?[operation.method.lowercased()]?[
                "responses"]
            let problem = "#/components/responses/Problem"
            let other = responses?["400"]?["content"]?["application/problem+json"]?["schema"]
            let isSCIM = responses?["400"]?["$ref"]?.equals("#/components/responses/SCIMError")
            #expect(
                isSCIM == true || responses?["400"]?["$ref"]?.string == problem
                    || other?["$ref"]?.string == "#/components/schemas/Problem",
                "\(operation.name)")
        }
    }

    /// Routes that look for what the path names before they read, or need what this server has not.
    private static let elsewhere: Set<String> = [
        "changeMember", "replaceKey", "retryDeliveries", "retryDeliveriesNow", "advanceClock",
        "answerInvitation",
        "acceptInvitation", "skipScriptWait", "identifyWidgetCustomer", "beginSignOn",
        "requestPasswordLink",
    ]

    @Test func `what a body excludes is refused, and so is a text beyond its length`() async throws
    {
        let server = try await TestServer(limits: { $0.web.agentMessagesBurst = 10_000 })
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation(server.other)
        let webhook = Webhook(
            id: WebhookID(server.services.broker.makeID()), business: server.other.id,
            url: "https://shop.example", secret: Array(repeating: 7, count: 32),
            createdAt: server.time.now)
        #expect(try await server.store.add(webhook, author: .server))
        let said = try await server.post(
            "/api/phone/\(server.other.id)/messages",
            #"{"id":"\#(server.services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
        let customer = TestServer.Caller.customer(try #require(said.cookie("fdc")))
        var refused = 0
        for body in Self.bodies
        where !Self.open.contains(body.name) && !Self.elsewhere.contains(body.name) {
            let found = server.api.table.rows.first { $0.operation == body.name }
            let row = try #require(found)
            let path = body.path.replacing("{business}", with: server.other.id.text)
                .replacing("{conversation}", with: conversation.id.text)
                .replacing("{note}", with: server.services.broker.makeID().text)
                .replacing("{name}", with: "greeting")
                .replacing("{label}", with: conversation.id.text)
                .replacing("{team}", with: conversation.id.text)
                .replacing("{bot}", with: conversation.id.text)
                .replacing("{contact}", with: conversation.id.text)
                .replacing("{attribute}", with: conversation.id.text)
                .replacing("{macro}", with: conversation.id.text)
                .replacing("{rule}", with: conversation.id.text)
                .replacing("{view}", with: conversation.id.text)
                .replacing("{file}", with: conversation.id.text)
                .replacing("{key}", with: conversation.id.text)
                .replacing("{approval}", with: conversation.id.text)
                .replacing("{suggestion}", with: conversation.id.text)
                .replacing("{webhook}", with: webhook.id.text)
            let isPhone = body.path.hasPrefix("/api/phone/{business}")
            let caller: TestServer.Caller = isPhone ? customer : owner
            var members = ["\"zzz\":1"]
            var pointers = ["/zzz"]
            let properties = try #require(body.schema["properties"])
            for member in properties.members {
                guard let most = member.value["maxLength"]?.int, most < 16_384 else { continue }
                let text = String(repeating: "a", count: most + 1)
                members.append("\"\(member.key)\":\"\(text)\"")
                pointers.append("/\(member.key)")
            }
            let answer = try await server.send(
                row.method, path, "{\(members.joined(separator: ","))}", by: caller)
            #expect(answer.status == 422, "\(body.name)")
            let named = answer["errors"]?.elements.compactMap { $0["pointer"]?.string } ?? []
            #expect(Set(named).isSuperset(of: pointers), "\(body.name) \(answer.text)")
            refused += 1
        }
        #expect(refused > 20)
    }
}
