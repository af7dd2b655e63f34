import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore

extension GatewayContext {
    private var objects: MediaObjectStore { MediaObjectStore(parts: parts) }

    /// `GET /v1/preUpload`: where a file of a stated size may be sent (protocol page 1.2 and 4).
    mutating func reserveUpload() async throws(GatewayRefusal) -> Response {
        let link = try await admit()
        let text = try require(anyOf: ["MMCS-Size", "size"])
        guard let byteCount = Int64(text), byteCount > 0 else {
            throw GatewayRefusal(.badRequest, "MMCS-Size is no positive number of bytes")
        }
        guard byteCount <= MediaObjectStore.maximumBytes else {
            throw GatewayRefusal(
                .contentTooLarge, "a file has at most \(MediaObjectStore.maximumBytes) bytes")
        }
        let id = MediaObjectStore.makeID()
        let address = SignedAddress(
            purpose: .upload, object: id, link: link.id, byteCount: byteCount,
            expires: time.advanced(by: .seconds(SignedAddress.uploadSeconds)))
        return Self.json([
            "upload-url": .string(
                "\(parts.origin)/v1/mmcs/upload/\(address.text(key: parts.addressKey))"),
            "mmcs-url": .string(objects.address(of: id)),
            "mmcs-owner": .string(MediaObjectStore.owner),
        ])
    }

    /// `POST <upload-url>`: the ciphertext; on return it survives a power cut.
    mutating func acceptUpload() async throws(GatewayRefusal) -> Response {
        let address = try requireAddress(.upload)
        guard let link = parts.links.find(address.link) else {
            throw GatewayRefusal(.forbidden, "the registration was removed")
        }
        try enter(by: link)
        let parts = parts
        // Of two uploads at once one file would belong to no object.
        let result = try await parts.asking { store throws(StoreError) in
            try await store.withFreeLease("upload \(address.object)") {
                () async -> Result<Response, GatewayRefusal> in
                do throws(GatewayRefusal) {
                    return .success(try await storeUpload(at: address, over: link))
                } catch {
                    return .failure(error)
                }
            }
        }
        guard let result else { throw Self.usedAddress }
        return try result.get()
    }

    private mutating func storeUpload(
        at address: SignedAddress, over link: GatewayLink
    ) async throws(GatewayRefusal) -> Response {
        let known = try await parts.asking { store throws(StoreError) in
            try await store.findMMCSObject(address.object)
        }
        guard known == nil else { throw Self.usedAddress }
        let blob = try await receive(address.byteCount)
        bodyBytes = Int(blob.byteCount)
        let object = MMCSObject(
            id: address.object, business: link.business, content: blob.id, key: nil,
            byteCount: blob.byteCount,
            signature: MediaObjectStore.signature(of: blob.id.digest.bytes),
            createdAt: time, keptUntil: time.advanced(by: parts.keepsUnnamed))
        _ = try await parts.asking { store throws(StoreError) in
            try await store.save(object, author: .provider(link.mspID))
        }
        return Self.json([
            "singleFile": [
                "fileChecksum": .string(Base64.encode(object.signature)),
                "size": .integer(Int(object.byteCount)), "receipt": .string(object.id),
            ]
        ])
    }

    /// `GET /v1/preDownload`: a short-lived link to a file's ciphertext.
    mutating func prepareDownload() async throws(GatewayRefusal) -> Response {
        let link = try await admit()
        let url = try require(anyOf: ["MMCS-Url", "url"])
        let signature = try require(anyOf: ["MMCS-Signature", "signature"])
        let owner = try require(anyOf: ["MMCS-Owner", "owner"])
        let found: MMCSObject?
        do throws(StoreError) {
            found = try await objects.find(url, of: link.business)
        } catch {
            throw parts.refusal(error)
        }
        guard let object = found, owner.utf8.elementsEqual(MediaObjectStore.owner.utf8) else {
            throw GatewayRefusal(.notFound, "there is no file of this url and owner")
        }
        try check(signature, of: object)
        let address = SignedAddress(
            purpose: .download, object: object.id, link: link.id, byteCount: object.byteCount,
            expires: time.advanced(
                by: .seconds(hasExpiredLinks ? -1 : SignedAddress.downloadSeconds)))
        return Self.json([
            "download-url": .string(
                "\(parts.origin)/v1/mmcs/download/\(address.text(key: parts.addressKey))")
        ])
    }

    /// `GET <download-url>`: the ciphertext; asks for no token.
    mutating func sendDownload() async throws(GatewayRefusal) -> Response {
        let address = try requireAddress(.download)
        link = parts.links.find(address.link)
        isAuthenticated = true
        let object = try await parts.asking { store throws(StoreError) in
            try await store.findMMCSObject(address.object)
        }
        guard let object else { throw GatewayRefusal(.notFound, "the file is gone") }
        let headers: HeaderFields = ["Content-Type": "application/octet-stream"]
        let pieces: BlobPieces?
        do throws(StoreError) {
            if object.key == nil,
                let file = try await parts.blobs.openBlob(object.content)?.file
            {
                let range = 0..<Int(object.byteCount)
                return Response(
                    status: .ok, headers: headers, body: .openFile(file, range: range))
            }
            pieces = try await objects.ciphertext(of: object)
        } catch {
            throw parts.refusal(error)
        }
        guard let pieces else { throw GatewayRefusal(.notFound, "the file is gone") }
        return Response(
            status: .ok, headers: headers,
            body: .stream { stream in
                do {
                    while let piece = try await pieces.next() { try await stream.write(piece) }
                } catch {
                    await stream.cut()
                }
            })
    }

    // MARK: Parts

    private static let usedAddress = GatewayRefusal(
        .forbidden, "this address has been used, and is good for one upload; ask preUpload anew")

    static func json(_ value: JSON) -> Response {
        Response(type: "application/json", value.bytes())
    }

    private func requireAddress(
        _ purpose: SignedAddress.Purpose
    ) throws(GatewayRefusal) -> SignedAddress {
        guard let text = request.parameters["token"],
            let address = SignedAddress(text, for: purpose, key: parts.addressKey)
        else { throw GatewayRefusal(.forbidden, "this address was not made for you here") }
        guard time <= address.expires else {
            throw GatewayRefusal(.notFound, "this address has expired; ask for a new one")
        }
        return address
    }

    /// Explains the mistake that is made most: the hexadecimal form instead of the base64 form.
    private func check(_ text: String, of object: MMCSObject) throws(GatewayRefusal) {
        if let bytes = Base64.decode(text), bytes == object.signature { return }
        if Hex.decode(text) == object.signature {
            throw GatewayRefusal(
                .badRequest, "MMCS-Signature is hexadecimal; decode it and send it as base64")
        }
        throw GatewayRefusal(.badRequest, "MMCS-Signature is another file's")
    }

    private mutating func receive(_ byteCount: Int64) async throws(GatewayRefusal) -> Blob {
        let upload: BlobUpload
        do throws(StoreError) {
            upload = try await parts.blobs.makeUpload(limit: byteCount)
        } catch {
            throw parts.refusal(error)
        }
        do throws(GatewayRefusal) {
            var count: Int64 = 0
            try await request.body.forEachPiece(upTo: Int(byteCount), orElse: Self.refusal) {
                piece throws(GatewayRefusal) in
                count += Int64(piece.count)
                do throws(StoreError) {
                    try await upload.write(piece)
                } catch {
                    throw parts.refusal(error)
                }
            }
            guard count == byteCount else {
                throw GatewayRefusal(
                    .badRequest, "\(count) bytes came, \(byteCount) were announced")
            }
            do throws(StoreError) {
                return try await upload.finish()
            } catch {
                throw parts.refusal(error)
            }
        } catch {
            await upload.cancel()
            throw error
        }
    }

    private static func refusal(_ error: BodyError) -> GatewayRefusal {
        error == .tooLarge
            ? GatewayRefusal(.badRequest, "more bytes came than were announced")
            : GatewayRefusal(error.status, "the body could not be read: \(error.code)")
    }
}
