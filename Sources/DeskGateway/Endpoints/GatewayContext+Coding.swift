import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

extension GatewayContext {
    /// `POST /v1/decodePayload`: decrypted bytes of a large reply become JSON (protocol page 2.5).
    mutating func decodePayload() async throws(GatewayRefusal) -> Response {
        _ = try await admit()
        let bid = try require("bid")
        let packed = try await readBody(upTo: LargeReference.maximumPackedBytes)
        let data = try LargeReference.unpack(packed)
        // Safe: what we unpack was JSON when it was packed; another one's may be anything.
        guard let root = try? JSONDocument(parsing: data).root else {
            throw GatewayRefusal(.badRequest, "the bytes hold no interactive data")
        }
        if let own = root["bid"]?.string, !own.utf8.elementsEqual(bid.utf8) {
            throw GatewayRefusal(.forbidden, "the header bid is \(bid), the data's is \(own)")
        }
        return Response(type: "application/json", data)
    }

    /// `POST /v1/encodePayload`: the inverse, so that a provider can keep large data itself.
    mutating func encodePayload() async throws(GatewayRefusal) -> Response {
        _ = try await admit()
        let body = try await readBody()
        // Safe: the reason is in the sentence that follows.
        guard let data = try? JSONDocument(parsing: body).root["interactiveData"],
            data.kind == .object
        else {
            throw GatewayRefusal(
                .badRequest, #"the body is {"v":1,"type":"interactive","interactiveData":{…}}"#)
        }
        return Response(
            type: "application/octet-stream", LargePayload.encode(Array(data.rawBytes)))
    }

    /// `POST /v1/constructPayload`: a rich link that is kept and referred to (protocol page 1.2).
    ///
    /// Links are `https`; the title is the link's host, since nothing is fetched from it.
    mutating func constructPayload() async throws(GatewayRefusal) -> Response {
        let link = try await admit()
        let body = try await readBody()
        // Safe: the reason is in the sentence that follows.
        guard let root = try? JSONDocument(parsing: body).root,
            root["type"]?.equals("link") == true, let url = root["link"]?["url"]?.string
        else {
            throw GatewayRefusal(
                .badRequest, #"the body is {"type":"link","link":{"url":…},"version":1.0}"#)
        }
        // Without a user's name before the host, which would pass for it.
        guard url.hasPrefix("https://"), let host = HostOfAddress(Array(url.utf8))?.text,
            host.contains(".")
        else {
            throw GatewayRefusal(.badRequest, "the URL is not supported: only https links are")
        }
        let data = JSON.object([("url", .string(url)), ("title", .string(host))])
        do throws(StoreError) {
            let document: JSONDocument
            do { document = try JSONDocument(parsing: data.bytes()) } catch {
                throw StoreError(.refused, "a link that cannot be written")
            }
            let kept = try await LargeReference(parts: parts, link: link).keep(
                document.root, for: "link \(url)", until: time.advanced(by: parts.keepsUnnamed))
            return Self.json([
                "version": "1.0",
                "richLinkDataRef": .object([
                    ("title", .string(host)),
                    ("signature-base64", kept.text(isForReuse: false).member("signature-base64")),
                    ("size", .integer(Int(kept.object.byteCount))), ("url", .string(kept.url)),
                    ("owner", .string(MediaObjectStore.owner)),
                    ("key", kept.text(isForReuse: false).member("key")),
                ]),
            ])
        } catch {
            throw parts.refusal(error)
        }
    }
}

extension JSON {
    /// A member of an object; null when there is none.
    func member(_ name: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members.first { $0.0 == name }?.1 ?? .null
    }
}
