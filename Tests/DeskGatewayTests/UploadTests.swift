import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import GatewayTestSupport
import Testing

/// What becomes of uploads: each address once, and nothing kept that no row names.
@Suite struct UploadTests {
    private let file: [UInt8] = [1, 2, 3, 4]

    private func reserve(_ gateway: TestGateway) async throws -> (upload: String, object: String) {
        let place = try await gateway.askJSON(.get, "/v1/preUpload", ["size": "4"])
        return (
            try #require(place["upload-url"]?.string), try #require(place["mmcs-url"]?.string)
        )
    }

    private func id(_ address: String) -> String {
        String(address.split(separator: "/").last ?? "")
    }

    @Test func `an address accepts one upload, and the first stays`() async throws {
        let gateway = try await TestGateway()
        let place = try await reserve(gateway)
        // What fails has not used the address.
        #expect(
            try await gateway.ask(.post, place.upload, body: [1], isSigned: false).status == 400)
        #expect(
            try await gateway.ask(.post, place.upload, body: file, isSigned: false).status == 200)
        let kept = try #require(try await gateway.store.findMMCSObject(id(place.object)))
        for body in [file, [5, 6, 7, 8]] as [[UInt8]] {
            let again = try await gateway.ask(.post, place.upload, body: body, isSigned: false)
            #expect(again.status == 403)
            #expect(String(decoding: again.body, as: UTF8.self).contains("one upload"))
        }
        #expect(try await gateway.store.findMMCSObject(id(place.object)) == kept)
        #expect(
            try await gateway.parts.blobs.openBlob(AttachmentID(.sha256([5, 6, 7, 8]))) == nil)
    }

    @Test func `two uploads at once to an address are one`() async throws {
        let gateway = try await TestGateway()
        let place = try await reserve(gateway)
        let statuses = try await withThrowingTaskGroup { group in
            for byte in 1...8 as ClosedRange<UInt8> {
                group.addTask {
                    try await gateway.ask(
                        .post, place.upload, body: [byte, byte, byte, byte], isSigned: false
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        #expect(statuses == [200] + Array(repeating: 403, count: 7))
        var files = 0
        for byte in 1...8 as ClosedRange<UInt8> {
            let name = AttachmentID(.sha256([byte, byte, byte, byte]))
            if try await gateway.parts.blobs.openBlob(name) != nil { files += 1 }
        }
        #expect(files == 1)
    }

    @Test(arguments: [false, true])
    func `an upload that no message names is forgotten after a day and not before`(
        isOld: Bool
    ) async throws {
        let gateway = try await TestGateway()
        let dictionary = try await gateway.upload(file)
        let unnamed = JSON.object(dictionary)
        let url = try #require(
            try JSONDocument(parsing: unnamed.bytes()).root["url"]?.string)
        var named = try await gateway.upload([9, 9, 9])
        // As a typed serialiser of 2018 would write it, with the current name absent.
        if isOld {
            named = named.map { $0.0 == "url" ? ("mmcs-url", $0.1) : $0 } + [("url", .null)]
        }
        let said = gateway.payload(
            uuid(1), "text",
            #""body":"\uFFFC","attachments":\#(JSON.array([.object(named)]).text())"#)
        #expect(try await gateway.post(said, id: uuid(1)).status == 200)

        func forget(after seconds: Int) async throws {
            try await gateway.parts.forgetUnnamed(
                before: TestGateway.now.advanced(by: .seconds(seconds)))
        }
        // Bytes that came in just now are left alone: a row that names them may be on its way.
        gateway.clock.advance(by: .seconds(600))
        try await forget(after: 86_400)
        let object = try #require(try await gateway.store.findMMCSObject(id(url)))
        #expect(try await gateway.parts.blobs.openBlob(object.content) != nil)
        try await forget(after: 86_401)
        #expect(try await gateway.store.findMMCSObject(id(url)) == nil)
        #expect(try await gateway.parts.blobs.openBlob(object.content) == nil)

        // What is gone is refused, what a message names is there years later, and its text too.
        let late = gateway.payload(
            uuid(2), "text", #""body":"\uFFFC","attachments":\#(JSON.array([unnamed]).text())"#)
        #expect(try await gateway.post(late, id: uuid(2)).status == 400)
        try await forget(after: 400 * 86_400)
        let again = gateway.payload(
            uuid(3), "text",
            #""body":"\uFFFC","attachments":\#(JSON.array([.object(named)]).text())"#)
        #expect(try await gateway.post(again, id: uuid(3)).status == 200)
        let use = try #require(try await gateway.messages().first?.facts.attachments.first)
        #expect(try await gateway.parts.blobs.openBlob(use.id) != nil)
    }

    @Test func `an App Clip link that no message names goes the same way`() async throws {
        let gateway = try await TestGateway()
        let made = try await gateway.askJSON(
            .post, "/v1/constructPayload",
            body: Array(
                #"{"type":"link","link":{"url":"https://a.example/x"},"version":1.0}"#.utf8))
        let url = try #require(made["richLinkDataRef"]?["url"]?.string)
        #expect(try await gateway.store.findMMCSObject(id(url)) != nil)
        try await gateway.parts.forgetUnnamed(
            before: TestGateway.now.advanced(by: .seconds(86_401)))
        #expect(try await gateway.store.findMMCSObject(id(url)) == nil)
    }
}
