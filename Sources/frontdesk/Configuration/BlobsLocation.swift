import DeskCommandLine
import DeskHTTP
import DeskS3
import DeskStore
import FoundationEssentials

/// Where the bytes of attachments lie outside of the database, and the key for it.
struct BlobsLocation: Sendable, Equatable {
    /// Largest file with a key, in bytes.
    private static let credentialsBytes = 16_384

    /// The bucket.
    let bucket: S3Location
    /// The file with the key; nil means the environment.
    let credentialsFile: String?

    /// The key: of the file, or of the variables that every tool for S3 knows.
    ///
    /// - Throws: what is missing, and nothing of what a key holds.
    func credentials(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> S3Credentials {
        guard let path = credentialsFile else { return try Self.credentials(of: environment) }
        guard let opened = try FileCalls.open(path) else {
            throw Installation.Failure("\(path) is not there", hint: Self.fileHint)
        }
        defer { FileCalls.close(opened) }
        guard try !FileCalls.isOpenToEverybody(opened) else {
            throw Installation.Failure(
                "everybody on this machine may read \(path)",
                hint: "chmod 600 it, and make a new key")
        }
        let bytes = try FileCalls.read(opened, at: 0, atMost: Self.credentialsBytes)
        guard let found = S3Credentials(file: bytes) else {
            throw Installation.Failure("\(path) has no key", hint: Self.fileHint)
        }
        return found
    }

    private static let fileHint =
        "it has a line aws_access_key_id = ID and a line aws_secret_access_key = SECRET"

    private static func credentials(of environment: [String: String]) throws -> S3Credentials {
        guard environment["AWS_SESSION_TOKEN"] ?? "" == "" else {
            throw Installation.Failure(
                "AWS_SESSION_TOKEN is set: such a key ends while the server runs",
                hint: "make a key of its own for Frontdesk")
        }
        let keyID = environment["AWS_ACCESS_KEY_ID"] ?? ""
        let secret = environment["AWS_SECRET_ACCESS_KEY"] ?? ""
        guard let found = S3Credentials(keyID: keyID, secret: secret) else {
            throw Installation.Failure(
                "there is no key for \(BlobsLocation.flag)",
                hint: "name a file with --blobs-credentials-file, or set AWS_ACCESS_KEY_ID and "
                    + "AWS_SECRET_ACCESS_KEY")
        }
        return found
    }

    static let flag = "--blobs"

    /// Opens the bucket after a check that it stores, gives back and removes.
    ///
    /// `report` is called where an outage begins, and with nil where it ends.
    func open(
        client: any OutgoingClient, report: @escaping @Sendable (S3Fault?) -> Void = { _ in }
    ) async throws -> S3ObjectStore {
        let store = S3ObjectStore(bucket, try credentials(), client: client, report: report)
        do throws(S3Fault) {
            try await store.check()
        } catch {
            throw Installation.Failure(
                "attachments cannot be kept in \(bucket.text): \(Self.sentence(error))",
                hint: error.hint)
        }
        return store
    }

    private static func sentence(_ fault: S3Fault) -> String {
        let what =
            switch fault.kind {
            case .unreachable: "it cannot be reached"
            case .busy: "it cannot answer"
            case .keyUnknown: "it does not know the key"
            case .secretWrong: "the secret is not that of the key"
            case .clock: "its clock and this machine's differ too much"
            case .denied: "the key may not do that"
            case .bucketMissing: "there is no such bucket"
            case .region: "the bucket is in another region"
            case .full: "it is full"
            case .notS3: "it answers as no S3 server does"
            }
        return "\(what) (\(fault.detail))"
    }
}

extension Parsed {
    /// Where the bytes of attachments lie outside of a database; nil means in the database or directory.
    func blobsLocation(of database: String?) throws(UsageError) -> BlobsLocation? {
        guard let text = self["blobs"] else {
            for name in ["blobs-endpoint", "blobs-region", "blobs-credentials-file"]
            where self[name] != nil {
                throw UsageError("--\(name) is given without --blobs")
            }
            return nil
        }
        guard database != nil else {
            throw UsageError(
                "--blobs needs --database: a data directory has its attachments beside its database",
                hint: "leave --blobs out, or serve from PostgreSQL")
        }
        do throws(S3Location.Fault) {
            return BlobsLocation(
                bucket: try S3Location(
                    text, endpoint: self["blobs-endpoint"], region: self["blobs-region"]),
                credentialsFile: self["blobs-credentials-file"])
        } catch {
            throw UsageError(
                "--blobs cannot be used: \(error.sentence)",
                hint:
                    "for example --blobs s3://attachments/frontdesk --blobs-endpoint http://10.0.0.5:9000"
            )
        }
    }
}
