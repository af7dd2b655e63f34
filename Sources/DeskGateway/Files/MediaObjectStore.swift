import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore

/// The gateway's side of MMCS: ciphertext under addresses of ours (protocol page 4).
///
/// What a provider uploads lies encrypted as it came. What we send lies as it is and is encrypted on
/// its way out, so that a file that many conversations hold is stored once.
struct MediaObjectStore: Sendable {
    /// Largest file in bytes, either way (protocol page 1.7).
    static let maximumBytes: Int64 = 100_000_000
    /// The value of `owner`; opaque to clients.
    static let owner = "frontdesk"
    private static let path = "/v1/mmcs/objects/"

    let parts: GatewayParts

    /// Why an object cannot be read.
    enum Fault: Error {
        /// The address names none of the business.
        case unknown
        /// The key is another one.
        case key
        /// The bytes are gone or the store failed.
        case store(StoreError)
    }

    // MARK: Addresses

    /// Where an object is; never asked directly, only exchanged for a download link.
    func address(of object: MMCSObject) -> String { address(of: object.id) }

    /// Where the object of an id is or will be.
    func address(of id: String) -> String { parts.origin + Self.path + id }

    /// The id in an address; nil for an address that is none of ours.
    func id(at address: String) -> String? {
        let prefix = parts.origin + Self.path
        guard address.utf8.starts(with: prefix.utf8) else { return nil }
        return String(address.dropFirst(prefix.count))
    }

    /// The ids of the objects that a message of a provider's names.
    func ids(namedBy message: JSONValue) -> [String] {
        var named = (message["attachments"]?.elements).map { Array($0) } ?? []
        named += ["interactiveDataRef", "richLinkDataRef"].compactMap { message[$0] }
        return named.compactMap { named in
            ["url", "mmcs-url"].lazy.compactMap { named[$0]?.string }.first.flatMap { id(at: $0) }
        }
    }

    /// The object at an address, if it is the business's.
    func find(_ address: String, of business: BusinessID) async throws(StoreError) -> MMCSObject? {
        guard let id = id(at: address),
            let object = try await parts.store.findMMCSObject(id), object.business == business
        else { return nil }
        return object
    }

    /// A new id: 32 hexadecimal digits of chance.
    static func makeID() -> String { Hex.encode(RandomBytes.make(16)) }

    /// A signature as the protocol's begin: a byte for the sort, then a digest.
    static func signature(of digest: [UInt8]) -> [UInt8] { [0x01] + digest }

    // MARK: Keeping

    /// Lends a stored file to the other end of a link under a key of its own.
    ///
    /// The same purpose gives the same object and key, so that a repeated delivery is byte-equal.
    /// - Parameter end: when it is forgotten unless a message names it; nil when one does.
    func lend(
        _ content: AttachmentID, byteCount: Int64, for purpose: String, over link: GatewayLink,
        until end: Timestamp? = nil
    ) async throws(StoreError) -> (object: MMCSObject, key: [UInt8]) {
        func derived(_ word: String) -> [UInt8] {
            HMACSHA256.code(for: Array("\(word) \(purpose)".utf8), key: link.secret)
        }
        let key = derived("mmcs key")
        let object = MMCSObject(
            id: link.objectName(for: purpose), business: link.business,
            content: content, key: key, byteCount: byteCount,
            signature: Self.signature(of: derived("mmcs signature")),
            createdAt: parts.time.now(), keptUntil: end)
        try await parts.store.save(object, author: .server)
        return (object, key)
    }

    // MARK: Reading

    /// The object's ciphertext, piece by piece.
    func ciphertext(of object: MMCSObject) async throws(StoreError) -> BlobPieces? {
        guard let file = try await parts.blobs.openBlob(object.content) else { return nil }
        return BlobPieces(file, cipher: try cipher(object.key))
    }

    /// What an object says when it is decrypted with the key that its user has.
    ///
    /// `key` may be nil for objects of ours, whose reuse names no key (protocol page 3.13).
    func plaintext(of object: MMCSObject, key: [UInt8]?) async throws(Fault) -> BlobPieces {
        var cipher: AESCounter?
        if let own = object.key {
            guard key.map({ constantTimeEquals($0, own) }) ?? true else { throw .key }
        } else {
            // Safe: a key of another length is another key.
            guard let key, let made = try? AESCounter(key: key) else { throw .key }
            cipher = made
        }
        let file: BlobFile?
        do throws(StoreError) {
            file = try await parts.blobs.openBlob(object.content)
        } catch {
            throw .store(error)
        }
        guard let file else { throw .unknown }
        return BlobPieces(file, cipher: cipher)
    }

    /// Stores a stream as a file of the server; nothing of it stays when it fails.
    func store(_ pieces: any BodySource) async throws(Fault) -> Blob {
        let upload: BlobUpload
        do throws(StoreError) {
            upload = try await parts.blobs.makeUpload(limit: Self.maximumBytes)
        } catch {
            throw .store(error)
        }
        do throws(Fault) {
            while let piece = try await Self.next(of: pieces) {
                do throws(StoreError) {
                    try await upload.write(piece)
                } catch {
                    throw .store(error)
                }
            }
            do throws(StoreError) {
                return try await upload.finish()
            } catch {
                throw .store(error)
            }
        } catch {
            await upload.cancel()
            throw error
        }
    }

    private static func next(of pieces: any BodySource) async throws(Fault) -> [UInt8]? {
        do throws(BodyError) { return try await pieces.next() } catch { throw .unknown }
    }

    private func cipher(_ key: [UInt8]?) throws(StoreError) -> AESCounter? {
        guard let key else { return nil }
        do throws(CryptoError) {
            return try AESCounter(key: key)
        } catch {
            throw StoreError(.damaged, "a key of \(key.count) bytes")
        }
    }
}
