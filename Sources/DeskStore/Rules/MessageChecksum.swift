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
        // On the stack: the writer does this for every message.
        var words = InlineArray<9, UInt64>(repeating: 0)
        var count = 0
        for place in 0..<4 where head != nil {
            words[count] = head?.words[place].bigEndian ?? 0
            count += 1
        }
        for place in 0..<4 {
            words[count] = digest.words[place].bigEndian
            count += 1
        }
        words[count] = UInt64(checksum).bigEndian
        return unsafe .sha256(words.span.extracting(...count).bytes)
    }
}
