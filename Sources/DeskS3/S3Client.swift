import DeskHTTP
import DeskModel
import DeskStore
import Synchronization

/// Signed requests for the objects of one bucket; what fails for the moment is tried again a few times.
struct S3Client: Sendable {
    /// The deadline of one request; a long body only has to keep its rate.
    private static let timeout = Duration.seconds(10)
    /// Pauses before a request is tried again.
    private static let pauses: [Duration] = [.milliseconds(200), .milliseconds(800)]
    /// Time after which nothing is tried again.
    private static let patience = Duration.seconds(10)
    /// Largest answer beside the bytes of an object.
    private static let answerBytes = 65_536

    let client: any OutgoingClient
    let location: S3Location
    let credentials: S3Credentials
    let time: TimeSource

    /// Stores an object; the server compares the bytes with the digest.
    func put(_ name: String, _ file: BlobFile, digest: Digest) async throws(S3Fault) {
        _ = try await ask(.put, name, "writing", body: (file, digest)) { status, _ in status == .ok
        }
    }

    /// Reads bytes of an object; nil when there is none.
    func read(
        _ name: String, at offset: Int64, count: Int
    ) async throws(S3Fault) -> [UInt8]? {
        let range = [(name: "range", value: "bytes=\(offset)-\(offset + Int64(count) - 1)")]
        let (status, bytes) = try await ask(.get, name, "reading", range, bodyBytes: count) {
            // A whole object would be one that ignores the range, which may be large.
            $0 == .partialContent || Self.isMissing($0, $1)
        }
        return status == .partialContent ? bytes : nil
    }

    /// Removes an object.
    func remove(_ name: String) async throws(S3Fault) {
        _ = try await ask(.delete, name, "removing") {
            $0 == .noContent || $0 == .ok || Self.isMissing($0, $1)
        }
    }

    private static func isMissing(_ status: Status, _ body: [UInt8]) -> Bool {
        status == .notFound && S3Fault.code(in: body) == "NoSuchKey"
    }

    private func ask(
        _ method: Method, _ name: String, _ verb: String,
        _ fields: [(name: String, value: String)] = [], bodyBytes: Int = 0,
        body: (file: BlobFile, digest: Digest)? = nil, isWanted: (Status, [UInt8]) -> Bool
    ) async throws(S3Fault) -> (Status, [UInt8]) {
        let begin = time.instant()
        var pauses = Self.pauses[...]
        while true {
            do throws(S3Fault) {
                let (answer, bytes) = try await send(method, name, verb, fields, bodyBytes, body)
                guard isWanted(answer.status, bytes) else {
                    throw S3Fault.of(answer.status, answer.headers, bytes, verb)
                }
                return (answer.status, bytes)
            } catch {
                guard error.isPassing, begin.duration(to: time.instant()) < Self.patience,
                    let pause = pauses.popFirst()
                else { throw error }
                do { try await time.sleep(pause) } catch _ { throw error }
            }
        }
    }

    private func send(
        _ method: Method, _ name: String, _ verb: String,
        _ fields: [(name: String, value: String)], _ bodyBytes: Int,
        _ body: (file: BlobFile, digest: Digest)?
    ) async throws(S3Fault) -> (OutgoingAnswer, [UInt8]) {
        let path = location.path(of: name)
        let signature = S3Signature(credentials: credentials, region: location.region)
        let request = OutgoingRequest(
            method, location.origin + path,
            headers: signature.fields(
                method, host: location.host, path: path, fields,
                body: body?.digest ?? S3Signature.emptyDigest, at: time.now()),
            body: body.map { .pieces(FileSource($0.file), byteCount: $0.file.byteCount) } ?? .empty,
            timeout: Self.timeout, answerLimit: max(bodyBytes, Self.answerBytes))
        do throws(OutgoingError) {
            let answer = try await client.send(request)
            do throws(BodyError) {
                return (answer, try await answer.body.collect(upTo: request.answerLimit))
            } catch {
                throw OutgoingError(.cutOff, error.code)
            }
        } catch {
            let kind: S3Fault.Kind = error.code == .tooLarge ? .notS3 : .unreachable
            throw S3Fault(kind, "\(verb): \(error.detail)")
        }
    }
}

/// The bytes of a file, for a request's body.
private final class FileSource: BodySource {
    private static let pieceBytes = 65_536

    private let file: BlobFile
    private let next = Atomic<Int64>(0)

    init(_ file: BlobFile) { self.file = file }

    func next() async throws(BodyError) -> [UInt8]? {
        let place = next.load(ordering: .relaxed)
        guard place < file.byteCount else { return nil }
        do throws(StoreError) {
            let piece = try await file.read(at: place, atMost: Self.pieceBytes)
            guard !piece.isEmpty else { throw StoreError(.damaged) }
            next.store(place + Int64(piece.count), ordering: .relaxed)
            return piece
        } catch {
            throw .disconnected
        }
    }
}
