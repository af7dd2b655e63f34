/// Why a store could not keep its promise.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable {
        /// Another process serves this data directory.
        case busy
        /// The disk is full; nothing was stored.
        case full
        /// Writing or flushing failed: the store accepts no further write, and the process should end.
        case failed
        /// The connection to the database broke during a commit: the write may be stored or not.
        ///
        /// A repeat of the same write with the same ids finds out which.
        case unknown
        /// The database cannot be reached at the moment; nothing was stored.
        case unavailable
        /// The store was closed.
        case closed
        /// What was read is not what was written.
        case damaged
        /// Secrets in the store are encrypted with a key that was not given; nothing was touched.
        case keyMissing = "key_missing"
        /// The store was made by a newer version.
        case tooNew = "too_new"
        /// More jobs wait already than the store accepts; nothing was stored.
        case overloaded
        /// The request breaks a promise of the caller's, such as a size limit.
        case refused
        /// The lease that the write came under was released, or another holds it by now; nothing was
        /// stored.
        case superseded
    }

    /// What kind it is.
    public let code: Code
    /// Codes and names for the log; never message text.
    public let detail: String

    /// Describes a failure.
    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    /// Safe to log.
    public var description: String {
        detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)"
    }
}
