import DeskBroker
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskModel
import GatewayTestSupport
import Testing

/// What holds around every endpoint: the budget, the disk, names and lines.
@Suite struct SurroundingsTests {
    private func typing(_ gateway: TestGateway, _ number: Int = 1) -> String {
        gateway.payload(uuid(number), "typing_start", #""x":1"#)
    }

    /// Asks an endpoint; whole answers are wanted here, not their bodies.
    private func answer(
        _ gateway: TestGateway, _ method: DeskHTTP.Method, _ path: String,
        _ fields: HeaderFields = [:], body: String = ""
    ) async throws -> Response {
        await gateway.handler.respond(
            to: try Request(
                method: method, target: path, headers: fields, body: Array(body.utf8)))
    }

    @Test func `a registration has its burst, then its rate, and not one more`() async throws {
        let gateway = try await TestGateway()
        for count in [200, 50] {
            for number in 0..<count {
                let answer = try await gateway.post(typing(gateway), id: uuid(1))
                #expect(answer.status == 200, "\(number) of \(count): \(answer.text)")
            }
            let refused = try await gateway.post(typing(gateway), id: uuid(1))
            #expect(refused.status == 429)
            gateway.clock.advance(by: .seconds(1))
        }
    }

    @Test func `a refusal says when to come again, and unauthenticated requests cost nothing`()
        async throws
    {
        let gateway = try await TestGateway()
        for _ in 0..<300 {
            let forged = try await gateway.post(
                typing(gateway), id: uuid(1),
                ["authorization": "Bearer \(gateway.token(key: [1, 2, 3]))"])
            #expect(forged.status == 403)
        }
        for _ in 0..<200 { _ = try await gateway.post(typing(gateway), id: uuid(1)) }
        let said = gateway.payload(uuid(2), "text", #""body":"late""#)
        #expect(try await gateway.post(said, id: uuid(2)).status == 429)
        #expect(try await gateway.messages().isEmpty)
        let refused = try #require(try await gateway.exchanges().first)
        #expect(refused.answer.headers.contains(HeaderField(name: "Retry-After", value: "1")))
        // Handing out costs nothing.
        let read = try await gateway.ask(
            .get, "/v1/preDownload", ["url": "x", "owner": "x", "signature": "x"])
        #expect(read.status == 404)
    }

    @Test func `an upstream's posts and uploads count against their link's budget`() async throws {
        let gateway = try await TestGateway()
        let place = try await gateway.askJSON(.get, "/v1/preUpload", ["size": "4"])
        let address = try #require(place["upload-url"]?.string)
        for _ in 0..<199 { _ = try await gateway.post(typing(gateway), id: uuid(1)) }
        let refused = try await gateway.ask(.post, address, body: [1, 2, 3, 4], isSigned: false)
        #expect(refused.status == 429)
        gateway.clock.advance(by: .seconds(1))
        let taken = try await gateway.ask(.post, address, body: [1, 2, 3, 4], isSigned: false)
        #expect(taken.status == 200)

        let token = try await gateway.connectUpstream()
        for number in 0...200 {
            let answer = try await gateway.bring(
                #""type":"typing_start""#, id: uuid(number), token: token)
            #expect(answer.status.code == (number < 200 ? 200 : 429), "\(number)")
        }
    }

    @Test func `a full disk refuses what would be stored before it is written, and nothing else`()
        async throws
    {
        let gateway = try await TestGateway()
        let dictionary = JSON.object(try await gateway.upload([1, 2, 3]))
        let root = try JSONDocument(parsing: dictionary.bytes()).root
        let place = try await gateway.askJSON(.get, "/v1/preUpload", ["size": "4"])
        let address = try #require(place["upload-url"]?.string)
        let token = try await gateway.connectUpstream()
        let log = try await gateway.exchanges().count
        gateway.watch.set(full: true)

        let said = gateway.payload(uuid(2), "text", #""body":"hello""#)
        let refused = try await gateway.post(said, id: uuid(2))
        #expect(refused.status == 503 && refused.text.contains("space"), "\(refused.text)")
        for (path, body) in [
            ("/v1/authenticate", said), ("/v1/constructPayload", "{}"),
        ] {
            #expect(try await gateway.post(body, id: uuid(2), to: path).status == 503, "\(path)")
        }
        #expect(try await gateway.ask(.get, "/v1/preUpload", ["size": "4"]).status == 503)
        #expect(
            try await gateway.ask(.post, address, body: [1, 2, 3, 4], isSigned: false).status
                == 503)
        let brought = try await gateway.bring(
            #""type":"text","body":"hello""#, id: uuid(3), token: token)
        #expect(brought.status == .serviceUnavailable)
        #expect(brought.headers["retry-after"] == "5")
        #expect(gateway.watch.refused == 6)

        // What hands out or computes goes on, and a wrong token is still one.
        let link = try await gateway.ask(
            .get, "/v1/preDownload",
            [
                "url": root["url"]?.string ?? "", "owner": root["owner"]?.string ?? "",
                "signature": root["signature-base64"]?.string ?? "",
            ])
        #expect(link.status == 200)
        let download = try #require(
            try JSONDocument(parsing: link.body).root["download-url"]?.string)
        #expect(try await gateway.ask(.get, download, isSigned: false).status == 200)
        #expect(
            try await gateway.post(
                #"{"interactiveData":{}}"#, id: uuid(2), to: "/v1/encodePayload"
            ).status == 200)
        #expect(try await gateway.post(said, id: uuid(2), ["authorization": nil]).status == 401)
        #expect(try await gateway.messages().isEmpty)
        #expect(try await gateway.exchanges().count == log)

        gateway.watch.set(full: false)
        #expect(try await gateway.post(said, id: uuid(2)).status == 200)
        #expect(
            try await gateway.ask(.post, address, body: [1, 2, 3, 4], isSigned: false).status
                == 200)
        #expect(try await gateway.messages().count == 1)
    }

    @Test func `every answer names its request, and its trace when it has one`() async throws {
        let gateway = try await TestGateway()
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let fields: HeaderFields = ["traceparent": "00-\(trace)-00f067aa0ba902b7-01"]
        for (number, path) in ["/v1/message", "/v1/nothing", "/v1/mmcs/upload/x"].enumerated() {
            let answer = try await answer(gateway, .post, path, fields)
            #expect(answer.headers["x-request-id"] == "000000000000000\(number + 1)")
            #expect(
                answer.headers["traceresponse"] == "00-\(trace)-000000000000000\(number + 1)-01")
        }
        #expect(
            gateway.watch.ended == ["gatewayMessage 401", "none 404", "gatewayUpload 403"])
        #expect(try await answer(gateway, .get, "/v1/preUpload").headers["traceresponse"] == nil)
    }

    @Test func `what is fetched for a message is asked for in its trace`() async throws {
        let gateway = try await TestGateway { _, _ in OutgoingAnswer(status: .notFound) }
        let token = try await gateway.connectUpstream()
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let file = #"{"name":"a","url":"u","owner":"o","signature-base64":"AAAA","key":"00"#
        let key = String(repeating: "ab", count: 32)
        let brought = try await gateway.bring(
            #""type":"text","body":"\uFFFC","attachments":[\#(file)\#(key)"}]"#, id: uuid(1),
            token: token, ["traceparent": "00-\(trace)-00f067aa0ba902b7-01"])
        #expect(brought.status == .ok)
        let asked = try #require(gateway.client.requests.first)
        #expect(asked.url == "https://upstream.example/v1/preDownload")
        let name = try #require(brought.headers["x-request-id"])
        #expect(asked.headers["traceparent"] == "00-\(trace)-\(name)-01")
    }
}
