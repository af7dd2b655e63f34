import DeskBytes
import DeskCrypto
package import DeskModel

/// The checksums by which a message and its conversation's chain are verified.
package enum MessageChecksum {
    /// CRC-32C over payload, sender's id, conversation and sequence, in that order.
    package static func checksum(
        of payload: [UInt8], id: MessageID, in conversation: ConversationID,
        sequence: SequenceNumber
    ) -> UInt32 {
        var sum = CRC32C()
        sum.update(payload)
        sum.update(id.text)
        sum.update(conversation.value.high)
        sum.update(conversation.value.low)
        sum.update(UInt64(sequence.value))
        return sum.value
    }

    /// The running head of a conversation after one more message: SHA-256 over the head before it,
    /// the payload's digest and the row's check sum.
    package static func head(
        after head: Digest?, digest: Digest, checksum: UInt32
    ) -> Digest {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(72)
        if let head { append(head, to: &bytes) }
        append(digest, to: &bytes)
        append(UInt64(checksum), to: &bytes)
        return .sha256(bytes)
    }

    private static func append(_ digest: Digest, to bytes: inout [UInt8]) {
        for place in 0..<4 { append(digest.words[place], to: &bytes) }
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}
