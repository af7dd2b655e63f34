import DeskAPI
import DeskBroker
import DeskCommandLine
import DeskLinks
import DeskModel
import DeskStore
import DeskStoreSQLite
import Testing

@testable import frontdesk

struct GatewayCommandTests {
    private static let secret = LinkSecret.encode([UInt8](repeating: 9, count: 32))

    private func makeCommands() async throws -> AdminCommands {
        let store = try SQLiteStore(inMemory: Epoch(7))
        _ = try await FirstStart(store: store, time: .system).requireBusinesses(named: "Shop")
        return AdminCommands(store: store, time: .system, publicURL: "http://chat.example")
    }

    private func run(
        _ commands: AdminCommands, _ name: String, _ values: [String: String] = [:],
        _ arguments: [String] = []
    ) async -> AdminCommands.Result {
        await commands.run(name, Parsed(values: values.mapValues { [$0] }, arguments: arguments))
    }

    @Test func `a provider is registered, listed without its secret, removed`() async throws {
        let commands = try await makeCommands()
        let values = ["business": "Sandbox", "endpoint": "http://bots.example:9000/x"]
        let made = await run(commands, "gateway register", values)
        #expect(made.code == 0 && made.text.contains("http://chat.example/v1"))
        let link = try #require(commands.links.all.first)
        let secret = LinkSecret.encode(link.secret)
        #expect(link.secret.count == 32 && made.text.contains(secret))
        #expect(made.text.contains(link.mspID) && made.text.contains(link.id.text))
        #expect(try await commands.store.findCursor(of: link.outbox) != nil)
        let again = await run(commands, "gateway register", values)
        #expect(again.code == 1 && again.text.contains("gateway remove \(link.id.text)"))
        let list = await run(commands, "gateway list")
        #expect(list.text.contains("(Sandbox)") && list.text.contains("0 waiting"))
        #expect(!list.text.contains(secret))
        #expect(await run(commands, "gateway remove", [:], [link.id.text]).code == 0)
        #expect(await run(commands, "gateway remove", [:], [link.id.text]).code == 1)
        let empty = await run(commands, "gateway list")
        #expect(empty.text == "There are no providers and no gateways.")
    }

    @Test func `a number at WhatsApp prints its callback URL and verify token, and no secret`()
        async throws
    {
        let commands = try await makeCommands()
        var values = [
            "business": "Shop", "phone-number-id": "106",
            "secret": #"{"accessToken":"secret-a","appSecret":"secret-b"}"#,
        ]
        let made = await run(commands, "gateway whatsapp", values)
        #expect(made.code == 0, "\(made.text)")
        let link = try #require(commands.links.all.first)
        let secrets = try #require(WhatsAppSecrets(link.secret))
        #expect(secrets.accessToken == "secret-a" && secrets.appSecret == "secret-b")
        #expect(made.text.contains("http://chat.example/whatsapp/\(link.id.text)"))
        #expect(made.text.contains(secrets.verifyToken) && !made.text.contains("secret-"))
        let again = await run(commands, "gateway whatsapp", values)
        #expect(again.code == 1 && again.text.contains("gateway remove \(link.id.text)"))
        #expect(WhatsAppSettings(link.settings).marksRead)
        #expect(await run(commands, "gateway remove", [:], [link.id.text]).code == 0)
        values["read-marks"] = "off"
        #expect(await run(commands, "gateway whatsapp", values).code == 0)
        let quiet = try #require(commands.links.all.first)
        #expect(!WhatsAppSettings(quiet.settings).marksRead)
        #expect(await run(commands, "gateway remove", [:], [quiet.id.text]).code == 0)
        for (name, wrong) in [
            ("phone-number-id", "+1"), ("secret", "{}"), ("account-id", "a"), ("graph-url", "x"),
        ] {
            let before = values[name]
            values[name] = wrong
            #expect(await run(commands, "gateway whatsapp", values).code == 1, "\(name)")
            values[name] = before
        }
    }

    @Test func `a connection prints the address for the other gateway, and no secret`()
        async throws
    {
        let commands = try await makeCommands()
        let made = await run(
            commands, "gateway connect",
            [
                "business": "Shop", "base-url": "https://gw.example/v1", "msp-id": "m-1",
                "secret": Self.secret,
            ])
        let link = try #require(commands.links.find(.upstream, mspID: "m-1").first)
        #expect(made.code == 0 && made.text.contains("http://chat.example/msp/\(link.id.text)"))
        #expect(!made.text.contains(Self.secret))
        #expect(LinkSecret.encode(link.secret) == Self.secret)
    }

    /// A command line that must name what is wrong with it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let command: String
        let values: [String: String]
        let word: String
        var testDescription: String { "\(command) \(values)" }

        init(_ command: String, _ values: [String: String], _ word: String) {
            (self.command, self.values, self.word) = (command, values, word)
        }
    }

    @Test(arguments: [
        Wrong("gateway register", [:], "--business"),
        Wrong("gateway register", ["business": "Nope"], "no business is called"),
        Wrong("gateway register", ["business": "Shop"], "--endpoint"),
        Wrong(
            "gateway register", ["business": "Shop", "endpoint": "http://bots.example"],
            "plain http only"),
        Wrong(
            "gateway register",
            ["business": "Shop", "endpoint": "https://b.example", "secret": "c2hvcnQ="],
            "--secret"),
        Wrong(
            "gateway register",
            ["business": "Shop", "endpoint": "https://b.example", "msp-id": "a b"], "--msp-id"),
        Wrong(
            "gateway connect", ["business": "Shop", "base-url": "https://g.example"], "--msp-id"),
        Wrong(
            "gateway connect",
            ["business": "Shop", "base-url": "https://g.example", "msp-id": "m"], "--secret"),
    ])
    func `a link that breaks a rule is not made, and the rule is named`(wrong: Wrong)
        async throws
    {
        let commands = try await makeCommands()
        let answer = await run(commands, wrong.command, wrong.values)
        #expect(answer.code == 1 && answer.text.contains(wrong.word))
        #expect(!answer.text.contains("c2hvcnQ"))
        #expect(commands.links.all.isEmpty)
    }

    @Test func `the word gateway alone shows its commands`() throws {
        guard case .help(let text) = try Invocation(["gateway"], environment: [:]) else {
            Issue.record("no help")
            return
        }
        #expect(text.contains("gateway register") && text.contains("gateway remove ID"))
    }
}
