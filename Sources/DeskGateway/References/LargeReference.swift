import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore

/// Interactive data that travels beside its message: kept encrypted, referred to by an
/// `interactiveDataRef` or a `dataRef` (protocol page 2.5, 3.13).
struct LargeReference: Sendable {
    /// Largest interactive data in bytes.
    static let maximumBytes = 4_194_304
    /// The same packed as a property list, which adds little.
    static let maximumPackedBytes = LargePayload.maximumBytes

    let parts: GatewayParts
    let link: GatewayLink

    /// What refers to kept data.
    struct Kept {
        let object: MMCSObject
        let key: [UInt8]
        let url: String
        let bid: String
        let title: String
        let signature: [UInt8]

        /// The reference as JSON; for reuse by its maker it has a `dataRefSig` (protocol page 3.13).
        ///
        /// Unlike an attachment's, its hexadecimal digits are small and its size is a text (13.1).
        func text(isForReuse: Bool) -> JSON {
            var members: [(String, JSON)] = [
                ("bid", .string(bid)), ("url", .string(url)),
                ("owner", .string(MediaObjectStore.owner)),
                ("size", .string(String(object.byteCount))),
                ("signature", .string(Hex.encode(object.signature))),
                ("signature-base64", .string(Base64.encode(object.signature))),
                ("title", .string(title)),
            ]
            members.append(("key", .string("00" + Hex.encode(key))))
            if isForReuse { members.append(("dataRefSig", .string(Base64.encode(signature)))) }
            return .object(members)
        }
    }

    /// Keeps interactive data; the same purpose gives the same reference.
    ///
    /// - Parameter end: when it is forgotten unless a message names it; nil when one does.
    func keep(
        _ data: JSONValue, for purpose: String, until end: Timestamp? = nil
    ) async throws(StoreError) -> Kept {
        let packed = Self.packed(data)
        let blob = try await parts.blobs.store(packed)
        let objects = MediaObjectStore(parts: parts)
        let (object, key) = try await objects.lend(
            blob.id, byteCount: blob.byteCount, for: purpose, over: link, until: end)
        let received = data["receivedMessage"] ?? data["data"]?["receivedMessage"]
        return Kept(
            object: object, key: key, url: objects.address(of: object),
            bid: data["bid"]?.string ?? "", title: received?["title"]?.string ?? "",
            signature: HMACSHA256.code(for: Array("dataRef \(object.id)".utf8), key: link.secret))
    }

    /// The bytes behind a reference: gzip around a binary property list, which some clients unpack
    /// without a look (protocol page 13.2); the same data give the same bytes.
    private static func packed(_ data: JSONValue) -> [UInt8] {
        let list = LargePayload.encode(Array(data.rawBytes))
        // Safe: packing fails for want of memory only; a bare list is read as well.
        return (try? Gzip.compress(list)) ?? list
    }

    /// Reads the data that a provider's reference names: interactive data as JSON.
    func read(
        _ reference: JSONValue
    ) async throws(GatewayRefusal) -> (data: [UInt8], object: MMCSObject) {
        guard let url = reference["url"]?.string else {
            throw GatewayRefusal(.badRequest, "\(reference.pointer) has no url")
        }
        var key: [UInt8]?
        if let text = reference["key"]?.string {
            key = try AttachmentDictionary.key(text, at: reference)
        }
        let objects = MediaObjectStore(parts: parts)
        let found: MMCSObject?
        do throws(StoreError) {
            found = try await objects.find(url, of: link.business)
        } catch {
            throw parts.refusal(error)
        }
        guard let object = found else {
            throw GatewayRefusal(.badRequest, "\(reference.pointer)/url is no url of ours")
        }
        let packed: [UInt8]
        do throws(MediaObjectStore.Fault) {
            let pieces = try await objects.plaintext(of: object, key: key)
            do throws(BodyError) {
                packed = try await pieces.collect(upTo: Self.maximumPackedBytes)
            } catch {
                throw .unknown
            }
        } catch {
            switch error {
            case .store(let failure): throw parts.refusal(failure)
            case .key:
                throw GatewayRefusal(.badRequest, "\(reference.pointer)/key is another one's")
            case .unknown:
                throw GatewayRefusal(.badRequest, "\(reference.pointer): the data are gone")
            }
        }
        return (try Self.unpack(packed), object)
    }

    /// Unpacks what was kept, and says what else it may be.
    static func unpack(_ packed: [UInt8]) throws(GatewayRefusal) -> [UInt8] {
        do throws(PropertyListFault) {
            return try LargePayload.decode(packed)
        } catch {
            throw GatewayRefusal(
                .badRequest,
                error.isOfArchive
                    ? "the bytes are a property list without interactive data: \(error)"
                    : "the bytes are no property list (\(error)); are they decrypted, as raw bytes?"
            )
        }
    }
}
