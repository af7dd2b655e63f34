import DeskHTTP

/// An address, or all that share its first bits: `127.0.0.1`, `10.0.0.0/8`, `2001:db8::/32`.
public struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// Reads `ADDRESS` or `ADDRESS/BITS`; nil for anything else, host names included.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = ClientNetwork.bytes(of: String(first)) else {
            return nil
        }
        self.bytes = bytes
        guard parts.count == 2 else {
            bits = bytes.count * 8
            return
        }
        guard (1...3).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let bits = Int(parts[1]), bits <= bytes.count * 8
        else { return nil }
        self.bits = bits
    }

    /// Whether the range contains an address; false for a text that is no address.
    public func contains(_ address: String) -> Bool {
        guard let other = ClientNetwork.bytes(of: address), other.count == bytes.count else {
            return false
        }
        for place in bytes.indices {
            let shared = min(8, max(0, bits - place * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> shared)
            guard (bytes[place] ^ other[place]) & mask == 0 else { return false }
        }
        return true
    }
}
