import DeskBytes
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

extension GatewayContext {
    /// A provider's message in the form in which the customer side gets it.
    struct ReceivedMessage {
        var kind: MessageKind
        var payload: [UInt8]
        var attachments: [AttachmentUse] = []
        /// The objects that the message names, by their ids.
        var objects: [String] = []
    }

    /// Fetches what the message only refers to: its attachments, and a payload that is sent again.
    mutating func receive(
        _ kind: MessageKind, _ judgement: Judgement, _ posted: [UInt8], of link: GatewayLink,
        in mode: Mode
    ) async throws(GatewayRefusal) -> ReceivedMessage {
        guard let root = judgement.document?.root else {
            return ReceivedMessage(kind: kind, payload: posted)
        }
        var received = ReceivedMessage(kind: kind, payload: posted)
        if kind == .reference {
            received = try await expand(root, posted, of: link, in: mode)
        }
        if let member = root.members.first(where: { $0.keyEquals("richLinkDataRef") }),
            !member.value.isNull
        {
            received.payload = try await expandLink(member, in: root, posted, of: link)
        }
        var decrypted: [NamedFile: Blob] = [:]
        for element in (root["attachments"]?.elements).map({ Array($0) }) ?? [] {
            let (file, object) = try await fetch(element, of: link, &decrypted)
            received.attachments.append(file)
            for doubt in object.doubts(of: element) { remark(doubt) }
        }
        received.objects = MediaObjectStore(parts: parts).ids(namedBy: root)
        return received
    }

    /// The answer's body: `dataRef` where the provider asked for one (protocol page 1.2, 3.13).
    func dataReference(
        _ judgement: Judgement, _ id: MessageID, of link: GatewayLink
    ) async throws(GatewayRefusal) -> Response {
        guard request.headers["include-data-ref"]?.lowercased() == "true",
            let data = judgement.document?.root["interactiveData"], !data.isNull
        else { return Response(status: .ok) }
        do throws(StoreError) {
            let reference = try await LargeReference(parts: parts, link: link).keep(
                data, for: "dataRef \(id.text)")
            return Self.json(["dataRef": .raw(reference.text(isForReuse: true).bytes())])
        } catch {
            throw parts.refusal(error)
        }
    }

    // MARK: Parts

    /// Replaces a reference by the data that it names.
    private mutating func expand(
        _ root: JSONValue, _ posted: [UInt8], of link: GatewayLink, in mode: Mode
    ) async throws(GatewayRefusal) -> ReceivedMessage {
        guard
            let member = root.members.first(where: { $0.keyEquals("interactiveDataRef") })
        else { throw GatewayRefusal(.badRequest, "interactiveDataRef is missing") }
        let data = try await read(member.value, of: link)
        let payload = EnvelopeText.exchanging(
            member, in: root, for: "interactiveData", data, of: posted)
        let judgement = parts.rulebook.judge(
            payload,
            JudgementContext(
                direction: .outbound, now: time, profile: .lenient, mode: mode))
        guard let kind = judgement.kind, !judgement.isRefused else {
            throw GatewayRefusal(.badRequest, "interactiveDataRef stands for no valid message")
        }
        return ReceivedMessage(kind: kind, payload: payload)
    }

    private mutating func read(
        _ reference: JSONValue, of link: GatewayLink
    ) async throws(GatewayRefusal) -> [UInt8] {
        let (data, object) = try await LargeReference(parts: parts, link: link).read(reference)
        for doubt in object.doubts(of: reference) { remark(doubt) }
        return data
    }

    /// Puts the link that constructPayload kept into the place of its reference.
    private mutating func expandLink(
        _ member: JSONMember, in root: JSONValue, _ posted: [UInt8], of link: GatewayLink
    ) async throws(GatewayRefusal) -> [UInt8] {
        let data = try await read(member.value, of: link)
        // Safe: the reason is in the sentence that follows.
        let kept = try? JSONDocument(parsing: data).root
        guard let url = kept?["url"]?.string, url.hasPrefix("https://"),
            kept?["title"]?.string != nil
        else { throw GatewayRefusal(.badRequest, "richLinkDataRef stands for no link") }
        return EnvelopeText.exchanging(
            member, in: root, for: "richLinkData", data, of: posted)
    }

    /// An uploaded file under the key that a message has for it.
    private struct NamedFile: Hashable {
        let object: String
        let key: [UInt8]
    }

    /// Decrypts an attachment into the server's own store, unless the message had it decrypted: it may name one
    /// upload some thousand times.
    private func fetch(
        _ element: JSONValue, of link: GatewayLink, _ decrypted: inout [NamedFile: Blob]
    ) async throws(GatewayRefusal) -> (AttachmentUse, MMCSObject) {
        let dictionary = try AttachmentDictionary(element)
        let objects = MediaObjectStore(parts: parts)
        let object: MMCSObject?
        do throws(StoreError) {
            object = try await objects.find(dictionary.url, of: link.business)
        } catch {
            throw parts.refusal(error)
        }
        guard let object else {
            throw GatewayRefusal(
                .badRequest, "\(element.pointer)/url is no mmcs-url that preUpload answered")
        }
        if let stated = dictionary.byteCount, stated != object.byteCount {
            throw GatewayRefusal(
                .badRequest,
                "\(element.pointer)/size is \(stated), \(object.byteCount) bytes were uploaded")
        }
        let name = NamedFile(object: object.id, key: dictionary.key)
        let blob: Blob
        if let known = decrypted[name] {
            blob = known
        } else {
            do throws(MediaObjectStore.Fault) {
                let pieces = try await objects.plaintext(of: object, key: dictionary.key)
                blob = try await objects.store(pieces)
            } catch {
                throw refusal(error, at: element)
            }
            decrypted[name] = blob
        }
        let file = AttachmentUse(
            id: blob.id, name: dictionary.name, mediaType: dictionary.mediaType,
            byteCount: blob.byteCount)
        return (file, object)
    }

    private func refusal(_ fault: MediaObjectStore.Fault, at element: JSONValue) -> GatewayRefusal {
        switch fault {
        case .unknown: GatewayRefusal(.badRequest, "\(element.pointer): the file is gone")
        case .key: GatewayRefusal(.badRequest, "\(element.pointer)/key is another file's")
        case .store(let error): parts.refusal(error)
        }
    }
}
