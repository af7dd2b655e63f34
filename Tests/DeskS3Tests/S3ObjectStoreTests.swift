import DeskHTTP
import DeskModel
import DeskNet
import DeskStore
import Foundation
import S3Support
import Synchronization
import TestSupport
import Testing

@testable import DeskS3

/// Objects in a bucket whose server recomputes every signature.
@Suite struct S3ObjectStoreTests {
    private static func file(_ bytes: [UInt8]) -> BlobFile {
        BlobFile(byteCount: Int64(bytes.count)) { offset, count throws(StoreError) in
            Array(bytes[Int(offset)..<Int(offset) + count])
        }
    }

    private static func prefix() -> String { UUID().uuidString + "/" }

    @Test(arguments: [0, 1, 65_536, 3_000_000])
    func `bytes come back, whichever part of them is read, until they are removed`(
        count: Int
    ) async throws {
        let store = try await S3Server.shared.running().store(Self.prefix())
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await store.put("one", Self.file(bytes), digest: .sha256(bytes))
        if count > 0 {
            #expect(try await store.read("one", at: 0, count: count) == bytes)
            let half = count / 2
            #expect(
                try await store.read("one", at: Int64(half), count: count - half)
                    == Array(bytes[half...]))
        }
        #expect(try await store.read("other", at: 0, count: 1) == nil)
        try await store.remove("one")
        try await store.remove("one")
        #expect(try await store.read("one", at: 0, count: 1) == nil)
    }

    @Test func `a bucket that stores, gives back and removes is fine, and nothing stays in it`()
        async throws
    {
        let server = try await S3Server.shared.running()
        let prefix = Self.prefix()
        try await server.store(prefix).check()
        #expect(try server.objects(below: prefix) == [])
    }

    private static let refusals:
        [(keyID: String, secret: String, bucket: String, region: String?, S3Fault.Kind)] = [
            (S3Server.keyID, "another", "attachments", nil, .secretWrong),
            ("nobody", S3Server.secret, "attachments", nil, .keyUnknown),
            (S3Server.keyID, S3Server.secret, "nothing", nil, .bucketMissing),
            (S3Server.keyID, S3Server.secret, "attachments", "eu-west-1", .region),
            ("reader", "secret-of-reader", "attachments", nil, .denied),
            ("writer", "secret-of-writer", "attachments", nil, .denied),
            ("keeper", "secret-of-keeper", "attachments", nil, .denied),
            ("blind", "secret-of-blind", "attachments", nil, .denied),
        ]

    @Test(arguments: refusals.indices)
    func `a bucket that cannot be used says why at the check`(place: Int) async throws {
        let (keyID, secret, bucket, region, kind) = Self.refusals[place]
        let store = try await S3Server.shared.running().store(
            Self.prefix(), keyID: keyID, secret: secret, bucket: bucket, region: region)
        let fault = await #expect(throws: S3Fault.self) { try await store.check() }
        #expect(fault?.kind == kind, "\(fault.map { "\($0)" } ?? "")")
        #expect(fault?.detail.contains(secret) == false)
    }

    @Test(arguments: [-3_600, -901, 901])
    func `a clock that is wrong is named as such`(seconds: Int) async throws {
        let time = TimeSource(
            now: { TimeSource.system.now().advanced(by: .seconds(seconds)) },
            instant: { .now }, sleep: { try await TimeSource.system.sleep($0) })
        let store = try await S3Server.shared.running().store(Self.prefix(), time: time)
        let fault = await #expect(throws: S3Fault.self) { try await store.check() }
        #expect(fault?.kind == .clock)
    }

    @Test func `bytes that are not those of their digest are stored nowhere`() async throws {
        let server = try await S3Server.shared.running()
        let prefix = Self.prefix()
        let error = await #expect(throws: StoreError.self) {
            try await server.store(prefix).put("one", Self.file([1, 2]), digest: .sha256([1, 3]))
        }
        #expect(error?.detail.contains("XAmzContentSHA256Mismatch") == true)
        #expect(try server.objects(below: prefix) == [])
    }

    @Test func `a redirect is not followed`() async throws {
        let server = try await S3Server.startAnother()
        try server.fail("redirect")
        let store = try server.store(Self.prefix())
        let fault = await #expect(throws: S3Fault.self) { try await store.check() }
        #expect(fault?.kind == .region)
        #expect(server.requests().count == 1)
    }

    @Test func `an outage is reported once, tried again a few times, and ends by itself`()
        async throws
    {
        let server = try await S3Server.startAnother()
        let reports = Mutex<[S3Fault.Kind?]>([])
        let store = try server.store(Self.prefix()) { fault in
            reports.withLock { $0.append(fault?.kind) }
        }
        try await store.put("one", Self.file([1]), digest: .sha256([1]))
        try server.fail("down")
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) {
                try await store.read("one", at: 0, count: 1)
            }
            #expect(error?.code == .unavailable)
        }
        #expect(server.requests().filter { $0.hasSuffix(" 503") }.count == 6)
        try server.fail("full")
        let error = await #expect(throws: StoreError.self) {
            try await store.put("two", Self.file([1]), digest: .sha256([1]))
        }
        #expect(error?.detail.contains("full") == true)
        try server.fail("")
        #expect(try await store.read("one", at: 0, count: 1) == [1])
        #expect(reports.withLock { $0 } == [.busy, nil])
    }

    @Test func `a server that is not there, and one that is no S3 server, are distinguished`()
        async throws
    {
        let credentials = try #require(S3Credentials(keyID: "a", secret: "b"))
        let nowhere = S3ObjectStore(
            try S3Location("s3://attachments", endpoint: "http://127.0.0.1:1", region: nil),
            credentials,
            client: CurlClient(reach: .anywhere))
        var fault = await #expect(throws: S3Fault.self) { try await nowhere.check() }
        #expect(fault?.kind == .unreachable)
        let other = S3ObjectStore(
            try S3Location("s3://attachments", endpoint: "http://host", region: nil), credentials,
            client: AnsweringClient(answer: OutgoingAnswer(status: .notFound)))
        fault = await #expect(throws: S3Fault.self) { try await other.check() }
        #expect(fault?.kind == .notS3)
    }

    @Test func `a server that ignores ranges is refused before its bytes are mixed up`()
        async throws
    {
        let credentials = try #require(S3Credentials(keyID: "a", secret: "b"))
        let store = S3ObjectStore(
            try S3Location("s3://attachments", endpoint: "http://host", region: nil), credentials,
            client: AnsweringClient(
                answer: OutgoingAnswer(status: .ok, body: RequestBody(Array("whole".utf8)))))
        let fault = await #expect(throws: S3Fault.self) { try await store.check() }
        #expect(fault?.kind == .notS3)
    }

    @Test(arguments: [
        ("<Error><Code>NoSuchKey</Code></Error>", "NoSuchKey"), ("<Code></Code>", nil),
        ("<Code>a b</Code>", nil), ("<Code>NoSuch", nil), ("", nil),
        ("<Code>" + String(repeating: "a", count: 65) + "</Code>", nil),
    ])
    func `an error's code is a word`(text: String, code: String?) {
        #expect(S3Fault.code(in: Array(text.utf8)) == code)
    }
}

/// Gives every request the same answer.
private struct AnsweringClient: OutgoingClient {
    let answer: OutgoingAnswer

    func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer { answer }

    func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer { answer }
}
