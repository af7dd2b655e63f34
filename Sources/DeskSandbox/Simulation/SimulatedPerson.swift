import DeskAPI
import DeskBytes
import DeskModel
import DeskScript
import DeskWeb

/// One customer of the scripts that ran in this server: who they are and how far they got.
struct SimulatedPerson: Sendable {
    /// What identifies a customer: the same seed and name are the same customer, in every script.
    struct Key: Hashable, Sendable {
        let seed: UInt64
        let name: String

        /// Both in one text, without a line break.
        var text: String { "\(seed) \(name)" }
    }

    let key: Key
    let customer: CustomerID
    let conversation: ConversationID
    /// What their messages' names are made from.
    private(set) var random: ScriptRandom
    private(set) var locale = "en_US"
    private(set) var entry = PostedText.Entry()
    /// What the business had sent up to here was expected already.
    var seen = Position(0)
    var isBusy = false
    /// Whether a step of theirs succeeded, so that they have a conversation.
    var hasActed = false

    /// Makes a customer; everything about them follows from the key.
    init?(_ person: ScriptedPerson, _ key: Key) {
        var random = ScriptRandom(seed: key.seed, name: key.name)
        var bytes: [UInt8] = []
        for _ in 0..<4 {
            let word = random.next()
            for shift in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift))))
            }
        }
        guard let customer = CustomerID(CustomerID.prefix + Base64.encode(bytes)) else {
            return nil
        }
        self.key = key
        self.customer = customer
        conversation = ConversationID(using: &random)
        self.random = random
    }

    /// Applies what a script says about them; the rest stays.
    mutating func describe(_ person: ScriptedPerson) {
        locale = person.locale ?? locale
        entry.intent = person.intent ?? entry.intent
        entry.group = person.group ?? entry.group
    }

    /// The name of their next message.
    mutating func makeMessageID(at time: Timestamp) -> MessageID {
        MessageID(UniqueID(milliseconds: time.milliseconds, using: &random))
    }

    /// The refusal of a script with a customer who is in another one.
    static func isBusy(_ name: String) -> Problem {
        Problem(
            .idempotencyInProgress,
            "\(name) is in another script that runs now. "
                + "Wait for its end, or give this script another seed.")
    }
}
