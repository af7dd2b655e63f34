import DeskBytes
import DeskCommandLine
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLint
import DeskModel
import DeskNet
import DeskWebhooks

/// `frontdesk trigger`: an example of an event, to the endpoints of a server or to a local program.
struct TriggerCommand {
    /// 0 when every receiver accepted it, 1 when one did not or none wants it, 2 when it could not be tried.
    static func run(_ parsed: Parsed, executable: String) async -> Int32 {
        do throws(UsageError) {
            guard parsed.arguments.count == 1, let type = parsed.arguments.first else {
                throw UsageError(
                    "name one type of event",
                    hint: "for example: frontdesk trigger message.accepted")
            }
            let command = TriggerCommand(
                type: type,
                examples: EventExamples(
                    try SchemaFolder(parsed["schemas"], executable: executable)),
                client: CurlClient(reach: .anywhere), time: .system, print: { Output.print($0) })
            return try await command.run(parsed) ? 0 : 1
        } catch {
            Output.complain(error)
            return 2
        }
    }

    let type: String
    let examples: EventExamples
    let client: any OutgoingClient
    let time: TimeSource
    let print: (String) -> Void

    /// Whether every receiver accepted the event, and there was one.
    func run(_ parsed: Parsed) async throws(UsageError) -> Bool {
        guard let target = parsed["forward-to"] else {
            return try await askServer(parsed)
        }
        let id = "test-" + Hex.encode(RandomBytes.make(12))
        let example = try examples.example(of: type, id: id, time: time.now())
        let local = try LocalSigner(parsed)
        let url = try RemoteServer.address(target, of: "--forward-to")
        guard let message = WebhookMessageID(id) else { return false }
        print(local.sentence)
        let receiver = LocalReceiver(url: url, signer: local.signer, client: client, time: time)
        let (outcome, _) = await receiver.attempt(example.bytes(), id: message)
        print("\(type)  \(id)  \(url)  \(outcome.text)")
        return outcome.isDelivered
    }

    /// Has the server post a test event to each endpoint that wants the type.
    private func askServer(_ parsed: Parsed) async throws(UsageError) -> Bool {
        guard parsed["server"] != nil else {
            throw UsageError(
                "a receiver is needed: --forward-to URL for a local program, or --server URL for the "
                    + "endpoints of a server",
                hint:
                    "for example: frontdesk trigger \(type) --forward-to http://127.0.0.1:3000/hook"
            )
        }
        let server = try RemoteServer(parsed, client: client)
        let example = try examples.example(of: type, id: "", time: time.now())
        var request: [(String, JSON)] = [("type", .string(type))]
        if case .object(let members) = example,
            let data = members.first(where: { $0.0 == "data" })?.1
        {
            request.append(("data", data))
        }
        let body = JSON.object(request).bytes()
        var count = 0
        var isAccepted = true
        for business in try await businesses(of: server, named: parsed["business"]) {
            let path = "/api/businesses/\(business)/webhooks"
            for endpoint in rows(try await server.ask(.get, path)) where wants(endpoint) {
                guard let id = endpoint["id"]?.string, let url = endpoint["url"]?.string else {
                    continue
                }
                count += 1
                let result = try await server.ask(.post, "\(path)/\(id)/test", body: body)
                isAccepted = result["isDelivered"]?.bool == true && isAccepted
                print("\(type)  \(url)  \(shown(result))")
            }
        }
        guard count > 0 else {
            print("no enabled endpoint wants \(type)")
            return false
        }
        return isAccepted
    }

    private func rows(_ page: JSONValue) -> [JSONValue] {
        page["data"].map { Array($0.elements) } ?? []
    }

    private func wants(_ endpoint: JSONValue) -> Bool {
        let types = endpoint["types"].map { $0.elements.compactMap(\.string) } ?? []
        return endpoint["state"]?.string == "enabled" && (types.isEmpty || types.contains(type))
    }

    private func shown(_ result: JSONValue) -> String {
        let last = result["last"]
        let detail = last?["detail"]?.string ?? "no answer"
        guard let status = last?["status"]?.int else { return detail }
        return "\(status) (\(last?["milliseconds"]?.int ?? 0) ms): \(detail)"
    }

    /// The businesses that the key may act for, or the one of this name or id.
    private func businesses(
        of server: RemoteServer, named name: String?
    ) async throws(UsageError) -> [String] {
        var found: [String] = []
        var all: [String] = []
        var next: String?
        repeat {
            let query = next.map { "?page%5Bafter%5D=\($0)" } ?? ""
            let page = try await server.ask(.get, "/api/businesses" + query)
            for business in rows(page) {
                guard let id = business["id"]?.string else { continue }
                let title = business["name"]?.string ?? ""
                all.append(title)
                if name == nil || name == id || name == title { found.append(id) }
            }
            next = page["next"]?.string
        } while next != nil
        if found.isEmpty, let name {
            throw UsageError(
                "the key may not act for a business \"\(name)\"",
                hint: all.isEmpty ? nil : "it may act for: \(all.joined(separator: ", "))")
        }
        return found
    }
}
