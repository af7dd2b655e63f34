import DeskJSON
import DeskWebhooks
import TestSupport
import Testing

/// The cases of docs/webhooks/test-vectors.json, which foreign libraries made.
struct WebhookVectorTests {
    /// One case as it stands in the file.
    struct Vector: Sendable, CustomTestStringConvertible {
        let title: String
        let reason: String?
        let signers, verifiers: [String]
        let now: Int64
        let headers: WebhookHeaders
        let body: [UInt8]

        var testDescription: String { title }

        init(_ row: JSONValue) throws {
            title = try #require(row["title"]?.string)
            reason = row["reason"]?.string
            signers = row["signers"]?.elements.compactMap(\.string) ?? []
            verifiers = try #require(row["verifiers"]).elements.compactMap(\.string)
            now = try Int64(#require(row["now"]?.int))
            let fields = try #require(row["headers"])
            headers = WebhookHeaders(
                id: fields[WebhookHeaders.idField]?.string,
                timestamp: fields[WebhookHeaders.timestampField]?.string,
                signature: fields[WebhookHeaders.signatureField]?.string)
            body = try Array(#require(row["body"]?.string).utf8)
        }
    }

    private func vectors() throws -> [Vector] {
        let text = try #require(TestFiles.text("docs/webhooks/test-vectors.json"))
        let rows = try JSONDocument(parsing: Array(text.utf8), limits: .unlimited).root["cases"]
        return try #require(rows).elements.map(Vector.init)
    }

    @Test func `the verifier accepts and refuses every test vector for its reason`() throws {
        let vectors = try vectors()
        #expect(vectors.count > 40)
        for vector in vectors {
            let verifier = WebhookVerifier(
                secrets: try vector.verifiers.filter { $0.hasPrefix("whsec_") }
                    .map(WebhookSecret.init),
                keys: try vector.verifiers.filter { $0.hasPrefix("whpk_") }
                    .map(WebhookPublicKey.init))
            var reason: String?
            do throws(WebhookRefusal) {
                try verifier.verify(vector.headers, body: vector.body, nowSeconds: vector.now)
            } catch {
                reason = error.code
                #expect(!error.description.isEmpty)
            }
            #expect(reason == vector.reason, "\(vector.title)")
        }
    }

    @Test func `the signer writes what the foreign libraries wrote`() throws {
        let vectors = try vectors().filter { !$0.signers.isEmpty }
        #expect(vectors.count > 10)
        for vector in vectors {
            let signer = WebhookSigner(
                secrets: try vector.signers.filter { $0.hasPrefix("whsec_") }
                    .map(WebhookSecret.init),
                keys: try vector.signers.filter { $0.hasPrefix("whsk_") }
                    .map(WebhookSigningKey.init))
            let id = try #require(vector.headers.id.flatMap(WebhookMessageID.init))
            let seconds = try #require(vector.headers.timestamp.flatMap(Int64.init))
            let signed = signer.sign(id: id, atSeconds: seconds, body: vector.body)
            #expect(signed == vector.headers, "\(vector.title)")
        }
    }
}
