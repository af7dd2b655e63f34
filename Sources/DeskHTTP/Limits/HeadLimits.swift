/// The limits on lines that a parser looks at, few enough to be kept by every connection.
struct HeadLimits: Sendable {
    let requestLineBytes: Int32
    let headerFieldBytes: Int32
    let headerBytes: Int32
    let headerCount: Int32
    let cookieBytes: Int32
    let chunkExtensionBytes: Int32

    init(_ limits: ServerLimits) {
        requestLineBytes = Int32(clamping: limits.requestLineBytes)
        headerFieldBytes = Int32(clamping: limits.headerFieldBytes)
        // One byte more than the limit must be countable.
        headerBytes = Int32(clamping: min(limits.headerBytes, 1 << 30))
        headerCount = Int32(clamping: limits.headerCount)
        cookieBytes = Int32(clamping: limits.cookieBytes)
        chunkExtensionBytes = Int32(clamping: limits.chunkExtensionBytes)
    }
}
