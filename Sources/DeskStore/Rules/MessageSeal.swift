import DeskBytes
import DeskCrypto
package import DeskModel

/// The check sums that prove a row whole.
package enum MessageSeal {
    /// CRC-32C over payload, sender's id, conversation and sequence, in that order.
    package static func checksum(
        of payload: [UInt8], id: MessageID, in conversation: ConversationID,
        sequence: SequenceNumber
    ) -> UInt32 {
        var sum = CRC32C()
        sum.update(payload)
        sum.update(Array(id.text.utf8))
        var key = conversation.value.bytes
        append(UInt64(sequence.value), to: &key)
        sum.update(key)
        return sum.value
    }

    /// The running head of a conversation after one more message: SHA-256 over the head before it,
    /// the payload's digest and the row's check sum.
    package static func head(
        after head: Digest?, digest: Digest, checksum: UInt32
    ) -> Digest {
        var bytes = head?.bytes ?? []
        bytes.append(contentsOf: digest.bytes)
        append(UInt64(checksum), to: &bytes)
        return .sha256(bytes)
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
