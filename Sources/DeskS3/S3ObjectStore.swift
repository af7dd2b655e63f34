import DeskBytes
import DeskCrypto
public import DeskHTTP
public import DeskModel
public import DeskStore
import Synchronization

/// Objects in a bucket of an S3 server.
public final class S3ObjectStore: ObjectStore {
    private let client: S3Client
    private let report: @Sendable (S3Fault?) -> Void
    private let hasFailed = Mutex(false)

    /// A bucket that nothing is asked of yet.
    ///
    /// `report` is called with the failure that begins an outage, and with nil at its end.
    public init(
        _ location: S3Location, _ credentials: S3Credentials, client: any OutgoingClient,
        time: TimeSource = .system, report: @escaping @Sendable (S3Fault?) -> Void = { _ in }
    ) {
        self.client = S3Client(
            client: client, location: location, credentials: credentials, time: time)
        self.report = report
    }

    /// Writes, reads and removes a small object, as the blobs will be.
    ///
    /// - Throws: what the first failure was.
    public func check() async throws(S3Fault) {
        let name = "check-" + Hex.encode(RandomBytes.make(8))
        let bytes = RandomBytes.make(16)
        let file = BlobFile(byteCount: 16) { offset, count throws(StoreError) in
            Array(bytes[Int(offset)..<Int(offset) + count])
        }
        try await client.put(name, file, digest: .sha256(bytes))
        do throws(S3Fault) {
            let part = try await client.read(name, at: 4, count: 8)
            guard part == Array(bytes[4..<12]) else {
                throw S3Fault(.notS3, "reading: other bytes than were written")
            }
        } catch {
            // Safe: the reason is the one before.
            try? await client.remove(name)
            throw error
        }
        try await client.remove(name)
        // A key that may not list the bucket may not read what is not there.
        guard try await client.read(name, at: 0, count: 1) == nil else {
            throw S3Fault(.notS3, "reading: bytes of an object that was removed")
        }
    }

    /// Stores all bytes of a file; on return they are durable.
    public func put(_ name: String, _ file: BlobFile, digest: Digest) async throws(StoreError) {
        try await noting { () throws(S3Fault) in
            try await client.put(name, file, digest: digest)
        }
    }

    /// Reads bytes that the object has; nil when there is none of that name.
    public func read(
        _ name: String, at offset: Int64, count: Int
    ) async throws(StoreError) -> [UInt8]? {
        let bytes = try await noting { () throws(S3Fault) in
            try await client.read(name, at: offset, count: count)
        }
        guard bytes.map({ $0.count == count }) ?? true else {
            throw StoreError(.damaged, "object \(name) has other bytes than it was stored with")
        }
        return bytes
    }

    /// Removes an object, if it is there.
    public func remove(_ name: String) async throws(StoreError) {
        try await noting { () throws(S3Fault) in try await client.remove(name) }
    }

    /// Reports where an outage begins and ends.
    private func noting<Value: Sendable>(
        _ body: () async throws(S3Fault) -> Value
    ) async throws(StoreError) -> Value {
        do throws(S3Fault) {
            let value = try await body()
            if change(to: false) { report(nil) }
            return value
        } catch {
            if change(to: true) { report(error) }
            throw StoreError(.unavailable, "S3: \(error)")
        }
    }

    private func change(to failed: Bool) -> Bool {
        hasFailed.withLock { known in
            defer { known = failed }
            return known != failed
        }
    }
}
