import COpenSSL

/// Whether two secrets are the same; the running time depends on their lengths only.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    guard !left.isEmpty else { return true }
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
