import DeskCommandLine
import Testing

@testable import frontdesk

struct CommandLineTests {
    private func parse(
        _ words: String, environment: [String: String] = [:]
    ) throws -> (String, Parsed) {
        let invocation = try Invocation(
            words.split(separator: " ").map(String.init), environment: environment)
        guard case .run(let command, let parsed) = invocation else {
            throw UsageError("help was given")
        }
        return (command.name, parsed)
    }

    @Test(arguments: [
        ("serve --listn 127.0.0.1:1", "did you mean --listen?"),
        ("serve --public_url http://a", "did you mean --public-url?"),
        ("serve --sandbx", "did you mean --sandbox?"),
        ("serve --port 80", "did you mean --port-file?"),
        ("serve --frobnicate", "see: frontdesk serve --help"),
        ("srve", "did you mean \"frontdesk serve\"?"),
        ("key crate --name a", "did you mean \"frontdesk key create\"?"),
        ("--listen 127.0.0.1:1", "see: frontdesk --help"),
        ("owner lnik", "did you mean \"frontdesk owner link\"?"),
    ])
    func `an unknown word is an error with a hint`(words: String, hint: String) {
        let error = #expect(throws: UsageError.self) { try parse(words) }
        #expect(error?.hint == hint)
    }

    @Test(arguments: [
        "serve --listen", "serve --listen --sandbox", "serve --data a --data b",
        "serve --sandbox=perhaps", "serve stray", "key create extra --name a",
    ])
    func `a command line that makes no sense is refused`(words: String) {
        #expect(throws: UsageError.self) { try parse(words) }
    }

    @Test func `a flag has its value after a space or an equals sign`() throws {
        let (_, spaced) = try parse("serve --listen [::1]:0 --limit a=1 --limit b=2")
        let (_, joined) = try parse("serve --listen=[::1]:0 --limit=a=1 --limit=b=2")
        #expect(spaced == joined)
        #expect(spaced["listen"] == "[::1]:0")
        #expect(spaced.values["limit"] == ["a=1", "b=2"])
    }

    @Test func `the environment replaces a flag, and the flag wins`() throws {
        let environment = [
            "FRONTDESK_LISTEN": "127.0.0.1:1", "FRONTDESK_PUBLIC_URL": "http://a",
            "FRONTDESK_SANDBOX": "1", "FRONTDESK_LIMIT": "a=1 , b=2 ", "FRONTDESK_DATA": "",
        ]
        let (_, parsed) = try parse("serve --listen 127.0.0.1:2", environment: environment)
        #expect(parsed["listen"] == "127.0.0.1:2")
        #expect(parsed["public-url"] == "http://a")
        #expect(parsed.claim("sandbox") == true)
        #expect(parsed.values["limit"] == ["a=1", "b=2"])
        #expect(parsed["data"] == nil)
        #expect(
            parsed.isTyped("listen") && !parsed.isTyped("public-url") && !parsed.isTyped("data"))
    }

    @Test
    func `a command that asks a server is not refused for the store that the environment names`()
        throws
    {
        let environment = [
            "FRONTDESK_DATA": "/var/lib/frontdesk", "FRONTDESK_DATABASE": "postgresql:///desk",
            "FRONTDESK_SERVER": "http://desk", "FRONTDESK_KEY": "k",
        ]
        let client = ScriptedClient()
        let (_, parsed) = try parse("import --from jsonl lines.jsonl", environment: environment)
        let command = try ForeignImport(parsed, client: client) { _ in }
        #expect(command.path == "lines.jsonl")
        let (_, typed) = try parse(
            "import --from jsonl --data d lines.jsonl", environment: environment)
        let error = #expect(throws: UsageError.self) {
            _ = try ForeignImport(typed, client: client) { _ in }
        }
        #expect(error?.message.contains("--data works on a store itself") == true)
    }

    @Test func `the name of an import's source stands in the address as it is`() async throws {
        let client = ScriptedClient(documents: [
            "/api/businesses/b/imports?source=old%20desk%26dryRun%3Dtrue": "{}"
        ])
        var sender = LineSender(
            RemoteServer(url: "http://desk", key: "k", client: client), business: "b",
            source: "old desk&dryRun=true", isDryRun: false, print: { _ in })
        try await sender.send(Array("{}".utf8), at: nil)
        try await sender.flush()
        #expect(client.asked.all.count == 1)
    }

    @Test func `the totals of a dry run have once what two of its requests have`() async throws {
        let client = ScriptedClient(documents: [
            "/api/businesses/b/imports?source=desk&dryRun=true":
                #"{"lines":1,"counts":{"note":{"added":1}},"outcomes":["added"],"findings":[]}"#
        ])
        var sender = LineSender(
            RemoteServer(url: "http://desk", key: "k", client: client), business: "b",
            source: "desk", isDryRun: true, print: { _ in })
        let note = Array(#"{"type":"note","customer":"1","id":"n","text":"x"}"#.utf8)
        #expect(!sender.isRepeated(note))
        for _ in 1...3 {
            try await sender.send(note, at: nil)
            try await sender.flush()
        }
        #expect(client.asked.all.count == 3)
        #expect(sender.isRepeated(note))
        #expect(sender.totals.counts["note"]?["added"] == 1)
        #expect(sender.totals.counts["note"]?["known"] == 2)
    }

    @Test func `two dashes end the flags, and one dash is a file`() throws {
        let (name, parsed) = try parse("lint --format json - -- --odd.json")
        #expect(name == "lint")
        #expect(parsed.arguments == ["-", "--odd.json"])
    }

    @Test(arguments: [
        "", "--help", "help", "help serve", "serve --help", "serve --help --nonsense=1", "key",
        "key --help", "key create -h", "owner",
    ])
    func `help is given wherever it is asked for`(words: String) throws {
        let invocation = try? Invocation(
            words.split(separator: " ").map(String.init),
            environment: ["FRONTDESK_SANDBOX": "nonsense"])
        if words == "serve --help --nonsense=1" {
            #expect(invocation == nil)
            return
        }
        guard case .help(let text) = invocation else {
            Issue.record("no help for \"\(words)\"")
            return
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(text.utf8.count > 80)
    }

    @Test func `every configuration flag of serve is on its help page`() {
        let page = HelpPage.page(of: Catalogue.serve)
        for flag in Catalogue.serve.flags { #expect(page.contains(flag.usage)) }
        #expect(page.contains("FRONTDESK_LISTEN"))
    }
}
