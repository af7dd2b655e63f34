import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import GatewayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskGateway

/// Download links live for seconds and may be dead on arrival: the customer's words are kept all the
/// same (protocol page 13.3).
@Suite struct DeadLinkTests {
    private static let file: [UInt8] = [1, 2, 3, 4, 5]
    private static let key = [UInt8](repeating: 7, count: 32)

    /// What the upstream answers the first, the second, the nth time.
    private typealias Answer = @Sendable (Int) throws(OutgoingError) -> OutgoingAnswer
    /// What it answers, by the end of the path that is asked.
    private typealias Upstream = [String: Answer]

    private static let link: Answer = { (_: Int) throws(OutgoingError) -> OutgoingAnswer in
        OutgoingAnswer(
            status: .ok,
            body: RequestBody(Array(#"{"download-url":"https://upstream.example/get"}"#.utf8)))
    }

    private static let bytes: Answer = { (_: Int) throws(OutgoingError) -> OutgoingAnswer in
        do throws(CryptoError) {
            var cipher = try AESCounter(key: key)
            return OutgoingAnswer(status: .ok, body: RequestBody(cipher.apply(file)))
        } catch {
            throw OutgoingError(.cutOff, "\(error)")
        }
    }

    /// An answer without a body; nil leaves the usual one.
    private static func answer(_ status: Status?, else usual: @escaping Answer) -> Answer {
        guard let status else { return usual }
        return { (_: Int) throws(OutgoingError) -> OutgoingAnswer in OutgoingAnswer(status: status)
        }
    }

    /// A gateway whose business is connected to an upstream that answers so.
    private func connected(_ upstream: Upstream) async throws -> (TestGateway, token: String) {
        let gateway = try await TestGateway()
        let token = try await gateway.connectUpstream()
        let counts = Mutex<[String: Int]>([:])
        gateway.client.script.withLock { script in
            script = { request, _ throws(OutgoingError) in
                guard let (path, answer) = upstream.first(where: { request.url.hasSuffix($0.key) })
                else { throw OutgoingError(.name, request.url) }
                let count = counts.withLock { counts in
                    counts[path, default: 0] += 1
                    return counts[path] ?? 0
                }
                return try answer(count)
            }
        }
        return (gateway, token)
    }

    private func dictionary(_ change: [String: String] = [:]) -> String {
        var members = [
            "name": #""photo.png""#, "mimeType": #""image/png""#, "size": "5",
            "signature": #""01ABCD""#, "key": #""00\#(Hex.encode(Self.key).uppercased())""#,
            "url": #""https://upstream.example/m/1""#, "owner": #""M1""#,
        ]
        members.merge(change) { $1 }
        let text = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { "\"\($0.key)\":\($0.value)" }
        return "{\(text.joined(separator: ","))}"
    }

    private func words(with attachments: String...) -> String {
        """
        "type":"text","body":"Here it is \u{FFFC}",\
        "attachments":[\(attachments.joined(separator: ","))]
        """
    }

    /// The only message of the customer who came over the upstream.
    private func stored(_ gateway: TestGateway) async throws -> StoredMessage {
        let customer = try #require(CustomerID("urn:mbid:AQAAYw=="))
        let found = try await gateway.store.findConversation(of: customer, with: gateway.business)
        let conversation = try #require(found)
        let messages = try await gateway.store.messages(in: conversation.id, .newest, limit: 9)
        #expect(messages.elements.count == 1)
        return try #require(messages.elements.first)
    }

    private func missing(_ message: StoredMessage) -> [MissingFile] {
        message.facts.headers.compactMap { MissingFile($0) }
    }

    struct Lost: CustomTestStringConvertible {
        let name: String
        let says: String
        var change: [String: String] = [:]
        var preDownload: Status?
        var download: Status?
        /// How often the upstream is asked for a link before the file is given up.
        let asked: ClosedRange<Int>
        var testDescription: String { name }
    }

    private static let lost = [
        Lost(name: "4xx for the link", says: "404", preDownload: .notFound, asked: 1...1),
        Lost(
            name: "4xx at every link", says: "404", download: .notFound, asked: 2...20),
        Lost(
            name: "5xx for ever", says: "503", preDownload: .serviceUnavailable, asked: 2...20),
        Lost(
            name: "another size", says: "5 bytes came, 6 were announced", change: ["size": "6"],
            asked: 1...1),
        Lost(name: "no name", says: "no name", change: ["name": ""], asked: 0...0),
        Lost(name: "no key", says: "key", change: ["key": #""xyz""#], asked: 0...0),
        Lost(name: "no signature", says: "signature", change: ["signature": ""], asked: 0...0),
    ]

    @Test(arguments: lost.indices)
    func `a message whose file is lost keeps its words, and says why the file is missing`(
        _ index: Int
    ) async throws {
        let row = Self.lost[index]
        let (gateway, token) = try await connected([
            "/preDownload": Self.answer(row.preDownload, else: Self.link),
            "/get": Self.answer(row.download, else: Self.bytes),
        ])
        let answer = try await gateway.bring(
            words(with: dictionary(row.change)), id: uuid(1), token: token)
        #expect(answer.status == .ok, "\(row.name)")
        let message = try await stored(gateway)
        #expect(message.facts.attachments.isEmpty)
        let file = try #require(missing(message).first, "\(row.name)")
        #expect(file.place == 0 && file.reason.contains(row.says), "\(row.name): \(file.reason)")
        let payload = try JSONDocument(parsing: message.payload.carriedBytes ?? []).root
        #expect(payload["body"]?.string == "Here it is \u{FFFC}")
        let asked = gateway.client.requests.count { $0.url.hasSuffix("/preDownload") }
        #expect(row.asked.contains(asked), "\(row.name): asked \(asked) times")
    }

    @Test func `of two files the one that is there is kept, and the other's place is named`()
        async throws
    {
        let (gateway, token) = try await connected(["/preDownload": Self.link, "/get": Self.bytes])
        let rest = words(with: dictionary(["name": ""]), dictionary())
        #expect(try await gateway.bring(rest, id: uuid(1), token: token).status == .ok)
        let message = try await stored(gateway)
        #expect(message.facts.attachments.map(\.name) == ["photo.png"])
        #expect(missing(message).map(\.place) == [0])
    }

    @Test func `a link that has expired once, and an upstream that was away, cost no file`()
        async throws
    {
        let link: Answer = { (count: Int) throws(OutgoingError) -> OutgoingAnswer in
            if count == 2 { throw OutgoingError(.timeout, "away") }
            if count == 3 { return OutgoingAnswer(status: .badGateway) }
            return try Self.link(count)
        }
        let get: Answer = { (count: Int) throws(OutgoingError) -> OutgoingAnswer in
            if count == 1 { return OutgoingAnswer(status: .notFound) }
            return try Self.bytes(count)
        }
        let (gateway, token) = try await connected(["/preDownload": link, "/get": get])
        #expect(
            try await gateway.bring(words(with: dictionary()), id: uuid(1), token: token).status
                == .ok)
        let message = try await stored(gateway)
        #expect(message.facts.attachments.map(\.byteCount) == [5])
        #expect(missing(message).isEmpty)
    }

    @Test func `an upstream that never answers is given up within the time its post is waited for`()
        async throws
    {
        let gateway = try await TestGateway()
        let token = try await gateway.connectUpstream()
        let clock = gateway.clock
        gateway.client.script.withLock { script in
            script = { request, _ throws(OutgoingError) in
                clock.advance(by: request.timeout)
                throw OutgoingError(.timeout, request.url)
            }
        }
        let rest = words(with: dictionary(), dictionary())
        #expect(try await gateway.bring(rest, id: uuid(1), token: token).status == .ok)
        #expect(missing(try await stored(gateway)).map(\.place) == [0, 1])
        #expect(clock.passed < .seconds(10))
    }

    @Test func `a reply whose data cannot be decoded is kept under its title`() async throws {
        let (gateway, token) = try await connected([
            "/preDownload": Self.link, "/get": Self.bytes,
            "/decodePayload": Self.answer(.forbidden, else: Self.bytes),
        ])
        let reference = """
            {"bid":"b:1","title":"Choose your tea","url":"https://upstream.example/m/1",\
            "owner":"M1","size":"5","signature":"01abcd","key":"00\(Hex.encode(Self.key))"}
            """
        let rest = #""type":"interactive","interactiveDataRef":\#(reference)"#
        #expect(try await gateway.bring(rest, id: uuid(1), token: token).status == .ok)
        let message = try await stored(gateway)
        #expect(message.facts.kind == .reference)
        #expect(message.facts.summary.contains("Choose your tea"))
        let lost = try #require(missing(message).first)
        #expect(lost.place == nil && lost.reason.contains("403"), "\(lost.reason)")
        // The data that were fetched are no file: no message would name it, and no erasure remove it.
        let file = try await gateway.parts.blobs.openBlob(AttachmentID(.sha256(Self.file)))
        #expect(file == nil)
    }

    @Test func `a missing file is read back as it was noted, and no other field is one`() {
        for file in [
            MissingFile(place: 3, reason: "answered: 404 Not Found : gone\nfor good"),
            MissingFile(place: nil, reason: ""),
        ] {
            #expect(MissingFile(file.field) == file)
            #expect(!file.reason.contains("\n"))
        }
        #expect(MissingFile(HeaderField(name: "x-tapback", value: "0 x")) == nil)
        let long = MissingFile(place: 0, reason: String(repeating: "é", count: 1_000))
        #expect(long.reason.utf8.count <= 303)
    }

    @Test func `the gateway's page says how often and for how long a file is asked for`() throws {
        let page = try #require(TestFiles.text("docs/gateway.md"))
        let seconds = UpstreamFetch.patience.components.seconds
        #expect(page.contains("after \(UpstreamFetch.attempts) attempts within \(seconds) seconds"))
    }
}
