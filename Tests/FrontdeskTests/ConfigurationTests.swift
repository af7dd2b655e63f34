import DeskAPI
import DeskCommandLine
import DeskHTTP
import DeskWeb
import Testing

@testable import frontdesk

struct ConfigurationTests {
    private func configuration(_ values: [String: String]) throws -> ServeConfiguration {
        var parsed = Parsed()
        for (name, value) in values { parsed.values[name] = [value] }
        return try ServeConfiguration(parsed)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8_080), ("[::1]:0", "::1", 0), (":443", "0.0.0.0", 443),
        ("localhost:65535", "localhost", 65_535),
    ])
    func `an address is a host and a port`(text: String, host: String, port: Int) {
        #expect(Address(text) == Address(host: host, port: port))
    }

    @Test(arguments: [
        "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80",
        "a b:80", "a/b:80", "127.0.0.1:8080 ", "127.0.0.1:+80", "127.0.0.1:\u{0661}",
    ])
    func `anything else is no address`(text: String) throws {
        #expect(Address(text) == nil)
        #expect(throws: UsageError.self) { try configuration(["listen": text]) }
    }

    @Test(arguments: [
        "chat.example.com", "ftp://a", "http://", "http://a/b", "http://a?b", "http://u@a",
        "http://a:b", "http://[::1", "http://:80", "http://a b",
    ])
    func `a public URL is nothing but scheme, host and port`(text: String) {
        #expect(throws: UsageError.self) { try configuration(["public-url": text]) }
    }

    @Test(arguments: [
        ("127.0.0.1", 8_080, false, "http://127.0.0.1:8080"),
        ("0.0.0.0", 80, false, "http://localhost"),
        ("::1", 8_443, true, "https://[::1]:8443"), ("::", 443, true, "https://localhost"),
    ])
    func `without a public URL the address itself is it`(
        host: String, port: Int, isSecure: Bool, text: String
    ) {
        let address = Address(host: host, port: port)
        #expect(address.url(port: port, isSecure: isSecure) == text)
    }

    @Test(arguments: [
        ("key-messages-burst=7", true), ("keep-alive-requests=7", true),
        ("handler-time=20s", true), ("keep-alive-requests=7s", false),
        ("key-messages-burst=0", false), ("key-mesages-burst=7", false),
    ])
    func `a limit is changed by its name`(text: String, isKnown: Bool) throws {
        var limits = APILimits()
        var server = ServerLimits()
        let setting = try LimitSetting(text)
        guard isKnown else {
            #expect(throws: UsageError.self) { try setting.apply(to: &limits, &server) }
            return
        }
        try setting.apply(to: &limits, &server)
        let changed = [limits.web.keyMessagesBurst, server.keepAliveRequests].count { $0 == 7 }
        #expect(changed == 1 || server.handlerTime == .seconds(20))
    }

    @Test func `a limit's slip of the fingers is understood`() throws {
        var limits = APILimits()
        var server = ServerLimits()
        let setting = try LimitSetting("key-mesages-burst=7")
        let error = #expect(throws: UsageError.self) { try setting.apply(to: &limits, &server) }
        #expect(error?.hint == "did you mean key-messages-burst?")
    }

    @Test(arguments: [
        (
            "passwords-at-once=257",
            "--limit passwords-at-once takes a number from 1 to 256, not \"257\""
        ),
        (
            "session-hours=9223372036854775807",
            "--limit session-hours takes a number from 1 to 240000, not \"9223372036854775807\""
        ),
    ])
    func `a limit above its highest value is refused with that value`(
        text: String, sentence: String
    ) throws {
        var limits = APILimits()
        var server = ServerLimits()
        let setting = try LimitSetting(text)
        let error = #expect(throws: UsageError.self) { try setting.apply(to: &limits, &server) }
        #expect(error?.message == sentence)
    }

    @Test(arguments: [
        ("page-size-most=200", "the limit page-size-most is fixed at 300 and cannot be set"),
        ("linger=2s", "the limit linger is fixed at 1s and cannot be set"),
        ("header-bytes=32KiB", "the limit header-bytes is fixed at 16384 and cannot be set"),
        ("first-byte=15min", "the limit first-byte is fixed at 10s and cannot be set"),
        ("heartbeat=10s", "the limit heartbeat is fixed at 25s and cannot be set"),
        ("idempotency-hours=48", "the limit idempotency-hours is fixed at 24 and cannot be set"),
        (
            "member-streams-per-address=9999",
            "the limit member-streams-per-address is fixed at 2048 and cannot be set"
        ),
    ])
    func `a limit that is fixed is refused with its value`(text: String, sentence: String) throws {
        var limits = APILimits()
        var server = ServerLimits()
        let setting = try LimitSetting(text)
        let error = #expect(throws: UsageError.self) { try setting.apply(to: &limits, &server) }
        #expect(error?.message == sentence)
        #expect(error?.hint == "frontdesk limits lists those that can")
    }

    @Test func `about thirty limits may be set`() {
        #expect((28...33).contains(LimitSetting.names.count))
    }

    @Test func `certificate and key come together`() {
        #expect(throws: UsageError.self) { try configuration(["tls-cert": "a.pem"]) }
        #expect(throws: UsageError.self) { try configuration(["tls-key": "a.pem"]) }
    }

    @Test func `folders are found by flag, then beside the program, then in the checkout`() throws {
        let all: Set = [
            "/opt/share/frontdesk/web", "/opt/share/frontdesk/Schemas", "/opt/share/frontdesk/docs",
            "/src/web", "/src/Schemas", "/my/web",
        ]
        let installed = try ShareFolders.find(
            web: nil, schemas: nil, executable: "/opt/bin/frontdesk", exists: all.contains)
        #expect(
            installed
                == ShareFolders(
                    web: "/opt/share/frontdesk/web", schemas: "/opt/share/frontdesk/Schemas",
                    docs: "/opt/share/frontdesk/docs"))
        let checkout = try ShareFolders.find(
            web: nil, schemas: nil, executable: "/src/.build/x86/release/frontdesk",
            exists: all.contains)
        #expect(checkout.web == "/src/web")
        #expect(checkout.docs == nil)
        let said = try ShareFolders.find(
            web: "/my/web", schemas: nil, executable: "/src/.build/x86/release/frontdesk",
            exists: all.contains)
        #expect(said.web == "/my/web")
        #expect(said.schemas == "/src/Schemas")
    }

    @Test func `a folder that is nowhere is an error that names the flag`() {
        let error = #expect(throws: UsageError.self) {
            try ShareFolders.find(
                web: nil, schemas: nil, executable: "/bin/frontdesk", exists: { _ in false })
        }
        #expect(error?.hint == "name it with --web DIR")
    }
}
