import DeskBroker
import DeskBytes
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

/// Fetches at once what an upstream's message only refers to; its links live for seconds (page 2.5).
///
/// A file that cannot be had never keeps the message out: it is noted as missing after a final
/// answer, or when it was asked for often enough (protocol page 13.3).
struct UpstreamFetch {
    /// The message with everything that belongs to it.
    struct Fetched {
        var kind: MessageKind
        var payload: [UInt8]
        var attachments: [AttachmentUse] = []
        /// What could not be had.
        var missing: [MissingFile] = []
    }

    /// Most times that one file is asked for.
    static let attempts = 20
    /// Seconds within which something is asked for again; a gateway waits ten for its answer.
    static let patience = Duration.seconds(7)
    /// When a file has to be here that comes steadily, but slowly: less than a handler's time, after which the message
    /// would be refused, each time again.
    static let longest = Duration.seconds(12)
    /// Most files of a message that are fetched at once.
    static let filesAtOnce = 10
    /// Longest pause before something is asked for again.
    private static let longestPause = Duration.milliseconds(250)

    let parts: GatewayParts
    let link: GatewayLink
    let conversation: ConversationID?
    /// The request that brought the message.
    let trace: RequestTrace
    /// When it began to be fetched.
    private let begin: ContinuousClock.Instant

    init(
        parts: GatewayParts, link: GatewayLink, conversation: ConversationID?, trace: RequestTrace
    ) {
        self.parts = parts
        self.link = link
        self.conversation = conversation
        self.trace = trace
        begin = parts.time.instant()
    }

    /// Fetches what a message refers to.
    ///
    /// - Throws: a refusal when the store fails; then the message comes again.
    func fetch(
        _ inbound: UpstreamInbound, _ kind: MessageKind
    ) async throws(GatewayRefusal) -> Fetched {
        var fetched = Fetched(kind: kind, payload: inbound.posted)
        var client = UpstreamClient(parts: parts, link: link, conversation: conversation)
        client.message = inbound.id
        client.trace = trace
        // A form may carry both; then interactiveData holds the selections (page 2.1).
        if let member = inbound.root.members.first(where: { $0.keyEquals("interactiveDataRef") }),
            !member.value.isNull, inbound.root["interactiveData"]?.isNull ?? true
        {
            do throws(Lost) {
                try take(
                    try await decoded(member.value, over: client), for: member, of: inbound,
                    &fetched)
            } catch {
                fetched.missing.append(try missing(nil, error))
            }
        }
        let list = (inbound.root["attachments"]?.elements).map { Array($0) } ?? []
        for (place, file) in await files(list, over: client).enumerated() {
            switch file {
            case .success(let use): fetched.attachments.append(use)
            case .failure(let why): fetched.missing.append(try missing(place, why))
            }
        }
        return fetched
    }

    /// Fetches files, several at once, so that a link that hangs keeps no other file out; in the order of the list.
    ///
    /// Once the patience has ended, a file that is not to be had ends the fetching: the gateway waits.
    private func files(
        _ list: [JSONValue], over client: UpstreamClient
    ) async -> [Result<AttachmentUse, Lost>] {
        await withTaskGroup(of: (place: Int, file: Result<AttachmentUse, Lost>).self) { group in
            var files = list.map { _ in Result<AttachmentUse, Lost>.failure(Self.tooLate) }
            var next = 0
            func begin() {
                guard next < list.count else { return }
                let (place, element) = (next, list[next])
                next += 1
                group.addTask { (place, await file(element, over: client)) }
            }
            for _ in 0..<Self.filesAtOnce { begin() }
            while let (place, file) = await group.next() {
                files[place] = file
                if case .failure(.there(let fault)) = file, !fault.isFinal, isOver {
                    next = list.count
                }
                begin()
            }
            return files
        }
    }

    private func file(
        _ element: JSONValue, over client: UpstreamClient
    ) async -> Result<AttachmentUse, Lost> {
        do throws(Lost) {
            return .success(try await attachment(element, over: client))
        } catch {
            return .failure(error)
        }
    }

    /// Whether nothing is asked for again.
    private var isOver: Bool {
        begin.duration(to: parts.time.instant()) + Self.longestPause >= Self.patience
    }

    // MARK: What is lost

    /// Why something is not here.
    private enum Lost: Error {
        /// The other end does not have it, or not in time.
        case there(UpstreamClient.Fault)
        /// It could not be stored here.
        case here(StoreError)
    }

    private static let tooLate = final("not asked for: other files had used up the time")

    private func missing(_ place: Int?, _ why: Lost) throws(GatewayRefusal) -> MissingFile {
        switch why {
        case .there(let fault): return MissingFile(place: place, reason: fault.detail)
        case .here(let error): throw parts.refusal(error)
        }
    }

    /// Asks again, after a pause, until it is answered, or finally refused, or for long enough.
    private func patiently<Value>(
        _ ask: () async throws(Lost) -> Value
    ) async throws(Lost) -> Value {
        var pause = Duration.milliseconds(50)
        for attempt in 1... {
            do throws(Lost) {
                return try await ask()
            } catch {
                guard case .there(let fault) = error, !fault.isFinal, attempt < Self.attempts,
                    begin.duration(to: parts.time.instant()) + pause < Self.patience
                else { throw error }
            }
            // Safe: the end of the server cuts the pause short.
            try? await parts.time.sleep(pause)
            pause = min(pause * 2, Self.longestPause)
        }
        preconditionFailure("an endless loop ended")
    }

    /// Asks the upstream; an answer of 4xx that asking again does not change is final.
    private func asked<Value>(
        _ ask: () async throws(UpstreamClient.Fault) -> Value
    ) async throws(Lost) -> Value {
        do throws(UpstreamClient.Fault) {
            return try await ask()
        } catch {
            var fault = error
            let passes = [408, 425, 429]
            fault.isFinal =
                error.isFinal
                || error.status.map { (400...499).contains($0) && !passes.contains($0) } == true
            throw .there(fault)
        }
    }

    private static func final(_ detail: String) -> Lost {
        .there(UpstreamClient.Fault(status: nil, detail: detail, isFinal: true))
    }

    // MARK: Parts

    /// Puts decoded data into the place of their reference.
    private func take(
        _ data: [UInt8], for member: JSONMember, of inbound: UpstreamInbound,
        _ fetched: inout Fetched
    ) throws(Lost) {
        let payload = EnvelopeText.exchanging(
            member, in: inbound.root, for: "interactiveData", data, of: inbound.posted)
        let judgement = parts.rulebook.judge(
            payload,
            JudgementContext(direction: .inbound, now: parts.time.now(), profile: .lenient))
        fetched.payload = payload
        fetched.kind = judgement.kind ?? .interactive
    }

    private func attachment(
        _ element: JSONValue, over client: UpstreamClient
    ) async throws(Lost) -> AttachmentUse {
        let dictionary: AttachmentDictionary
        do throws(GatewayRefusal) {
            dictionary = try AttachmentDictionary(element)
        } catch {
            throw Self.final(error.detail)
        }
        let blob = try await download(element, key: dictionary.key, over: client) {
            body async throws(Lost) in
            try await store(body, byteCount: dictionary.byteCount)
        }
        return AttachmentUse(
            id: blob.id, name: dictionary.name, mediaType: dictionary.mediaType,
            byteCount: blob.byteCount)
    }

    private func decoded(
        _ reference: JSONValue, over client: UpstreamClient
    ) async throws(Lost) -> [UInt8] {
        let key: [UInt8]
        do throws(GatewayRefusal) {
            key = try AttachmentDictionary.key(reference["key"]?.string ?? "", at: reference)
        } catch {
            throw Self.final(error.detail)
        }
        let size = reference["size"]?.int ?? reference["size"]?.string.flatMap { Int($0) }
        // Read into memory: as a file it would stay, since no message names it.
        let packed = try await download(reference, key: key, over: client) {
            body async throws(Lost) in try await collect(body, byteCount: size)
        }
        var fields = client.fields
        fields.append("bid", reference["bid"]?.string ?? "")
        fields.append("accept", "*/*")
        let request = OutgoingRequest.bounded(
            .post, client.address("/decodePayload"), headers: fields, body: .bytes(packed),
            timeout: timeout, answerLimit: LargeReference.maximumBytes)
        return try await patiently { () async throws(Lost) in
            let data = try await asked { () async throws(UpstreamClient.Fault) in
                try await client.askJSON(request)
            }
            guard data.kind == .object else {
                throw Self.final("decodePayload's answer is no object")
            }
            return Array(data.rawBytes)
        }
    }

    /// Exchanges a reference for a link, fetches the ciphertext and reads what it says.
    private func download<Value: Sendable>(
        _ reference: JSONValue, key: [UInt8], over client: UpstreamClient,
        reading read: (DecryptedBody) async throws(Lost) -> Value
    ) async throws(Lost) -> Value {
        guard let signature = AttachmentDictionary.signature(of: reference) else {
            throw Self.final("\(reference.pointer) has no readable signature")
        }
        let fields = Self.fields(reference, signature, client)
        return try await patiently { () async throws(Lost) in
            let address = try await asked { () async throws(UpstreamClient.Fault) in
                let link = try await client.askJSON(
                    .bounded(
                        .get, client.address("/preDownload"), headers: fields, timeout: timeout))
                guard let address = link["download-url"]?.string else {
                    throw UpstreamClient.Fault(
                        status: nil, detail: "preDownload's answer has no download-url",
                        isFinal: true)
                }
                return address
            }
            return try await read(try await open(address, key))
        }
    }

    /// The time left for the next request: what remains of the patience.
    private var timeout: Duration { left(of: Self.patience) }

    /// What remains of a time, and a moment at least.
    private func left(of time: Duration) -> Duration {
        max(.seconds(1), time - begin.duration(to: parts.time.instant()))
    }

    private static func fields(
        _ reference: JSONValue, _ signature: String, _ client: UpstreamClient
    ) -> HeaderFields {
        var fields = client.fields
        let url = reference["url"]?.string ?? reference["mmcs-url"]?.string ?? ""
        let owner = reference["owner"]?.string ?? reference["mmcs-owner"]?.string ?? ""
        for (name, value) in [("url", url), ("owner", owner), ("signature", signature)] {
            // Gateways of all years: the old name and the new one (page 1.3).
            fields.append(name, value)
            fields.append("MMCS-" + name.prefix(1).uppercased() + name.dropFirst(), value)
        }
        return fields
    }

    /// Downloads and decrypts.
    ///
    /// A link that answers 4xx has expired, and another one may be had.
    private func open(_ address: String, _ key: [UInt8]) async throws(Lost) -> DecryptedBody {
        let answer: OutgoingAnswer
        do throws(OutgoingError) {
            answer = try await parts.client.open(
                OutgoingRequest(.get, address, timeout: timeout, longest: left(of: Self.longest)))
        } catch {
            throw .there(.init(status: nil, detail: "the download failed: \(error)"))
        }
        guard answer.status == .ok else {
            throw .there(
                .init(
                    status: answer.status.code,
                    detail: "the download answered \(answer.status.code)"))
        }
        do throws(CryptoError) {
            return DecryptedBody(answer.body, try AESCounter(key: key))
        } catch {
            throw Self.final("the key is none: \(error)")
        }
    }

    /// Stores a file; another size than announced stays so.
    private func store(_ body: DecryptedBody, byteCount: Int64?) async throws(Lost) -> Blob {
        let blob: Blob
        do throws(MediaObjectStore.Fault) {
            blob = try await MediaObjectStore(parts: parts).store(body)
        } catch {
            if case .store(let failure) = error { throw .here(failure) }
            throw .there(.init(status: nil, detail: "the download was cut off"))
        }
        if let byteCount, blob.byteCount != byteCount { throw other(blob.byteCount, byteCount) }
        return blob
    }

    /// Reads data of up to `maximumPackedBytes`; another size than announced stays so.
    private func collect(_ body: DecryptedBody, byteCount: Int?) async throws(Lost) -> [UInt8] {
        let bytes: [UInt8]
        do throws(BodyError) {
            bytes = try await RequestBody(source: body, declaredLength: nil)
                .collect(upTo: LargeReference.maximumPackedBytes)
        } catch {
            guard error != .tooLarge else {
                throw Self.final("the referred data are too large")
            }
            throw .there(.init(status: nil, detail: "the download was cut off"))
        }
        if let byteCount, bytes.count != byteCount {
            throw other(Int64(bytes.count), Int64(byteCount))
        }
        return bytes
    }

    private func other(_ byteCount: Int64, _ announced: Int64) -> Lost {
        Self.final("\(byteCount) bytes came, \(announced) were announced")
    }
}
