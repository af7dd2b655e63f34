import DeskHTTP

/// Why an S3 server did not do what it was asked for.
public struct S3Fault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Kind: String, Sendable, CaseIterable {
        /// No answer.
        case unreachable
        /// It answered that it cannot at the moment.
        case busy
        /// The key is not known.
        case keyUnknown = "key_unknown"
        /// The secret is not the key's.
        case secretWrong = "secret_wrong"
        /// The clocks of both sides differ too much.
        case clock
        /// The key may not do that.
        case denied
        /// There is no such bucket.
        case bucketMissing = "bucket_missing"
        /// The bucket belongs to another region.
        case region
        /// It has no room.
        case full
        /// It answered as no S3 server does.
        case notS3 = "not_s3"
    }

    /// The kind of failure.
    public let kind: Kind
    /// What was tried, and what came of it; never a secret.
    public let detail: String

    /// Puts the two together.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// Safe to log.
    public var description: String { "\(kind.rawValue): \(detail)" }

    /// Whether the same request may succeed soon.
    var isPassing: Bool { kind == .unreachable || kind == .busy }

    /// What to do, in words for the terminal.
    public var hint: String {
        switch kind {
        case .unreachable:
            "is the server running there, and are --blobs-endpoint and --blobs-region right?"
        case .busy: "look at the S3 server; it says that it cannot answer now"
        case .keyUnknown:
            "look for a slip in the key's id, and whether the key belongs to this S3 server"
        case .secretWrong: "look for a slip in the secret, and whether it belongs to this key"
        case .clock: "have both machines set their clocks by NTP"
        case .denied:
            "allow the key s3:GetObject, s3:PutObject and s3:DeleteObject on the bucket's objects, and "
                + "s3:ListBucket on the bucket"
        case .bucketMissing: "make the bucket, or name another one with --blobs"
        case .region: "name the bucket's region with --blobs-region"
        case .full: "make room, or raise the bucket's quota"
        case .notS3: "name the address of its S3 interface with --blobs-endpoint"
        }
    }
}

extension S3Fault {
    /// What an answer that is not the wanted one says.
    ///
    /// `verb` is what was tried. S3 servers name the reason in `<Code>` of a document; an answer without one is
    /// judged by its status.
    static func of(_ status: Status, _ headers: HeaderFields, _ body: [UInt8], _ verb: String)
        -> S3Fault
    {
        let code = code(in: body)
        let said = "\(verb): \(status.code)\(code.map { " \($0)" } ?? "")"
        switch (status.code, code) {
        case (_, "InvalidAccessKeyId"), (_, "InvalidClientTokenId"):
            return S3Fault(.keyUnknown, said)
        case (_, "SignatureDoesNotMatch"): return S3Fault(.secretWrong, said)
        case (_, "RequestTimeTooSkewed"): return S3Fault(.clock, said)
        case (_, "NoSuchBucket"): return S3Fault(.bucketMissing, said)
        case (_, "QuotaExceeded"), (_, "XMinioStorageFull"), (507, _): return S3Fault(.full, said)
        case (_, "PermanentRedirect"), (_, "TemporaryRedirect"),
            (_, "AuthorizationHeaderMalformed"),
            (_, "IllegalLocationConstraintException"):
            let region = headers["x-amz-bucket-region"].map { ", its region is \($0)" } ?? ""
            return S3Fault(.region, said + region)
        case (403, _): return S3Fault(.denied, said)
        case (429, _), (500..., _), (_, "RequestTimeout"), (_, "BadDigest"),
            (_, "XAmzContentSHA256Mismatch"):
            return S3Fault(.busy, said)
        default: return S3Fault(.notS3, said)
        }
    }

    /// The reason in an error's document; nil without one that is a word.
    static func code(in body: [UInt8]) -> String? {
        let text = String(decoding: body.prefix(4_096), as: UTF8.self)
        guard let start = text.firstRange(of: "<Code>"),
            let end = text[start.upperBound...].firstRange(of: "</Code>")
        else { return nil }
        let word = text[start.upperBound..<end.lowerBound]
        guard (1...64).contains(word.utf8.count),
            word.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) || (0x30...0x39).contains($0) }
            )
        else { return nil }
        return String(word)
    }
}
