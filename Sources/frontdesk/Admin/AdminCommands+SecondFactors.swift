import DeskCommandLine
import DeskLog
import DeskModel
import DeskStore

extension AdminCommands {
    /// Removes the second factor of a person, by address or id.
    func removeSecondFactor(_ parsed: Parsed) async throws(StoreError) -> Result {
        guard parsed.arguments.count == 1, let word = parsed.arguments.first else {
            return .failed("name one person, by address or id")
        }
        let people = try await store.agents(of: nil)
        let found = people.filter { person in
            person.email.utf8.elementsEqual(word.utf8)
                || person.id.text.utf8.elementsEqual(word.utf8)
        }
        guard let person = found.first else {
            return .failed("no person has the address or id \"\(word)\"; see frontdesk member list")
        }
        guard found.count == 1 else {
            let list = found.map { "  \($0.id.text)  \($0.name)" }.joined(separator: "\n")
            return .failed("several accounts have this address; name one by its id:\n\(list)")
        }
        guard try await store.removeSecondFactor(of: person.id, author: .command) else {
            return .failed("\(person.email) has no second factor and no passkey")
        }
        log?.info(
            "second_factor_removed", ["agent": .text(person.id.text), "by": .text("command")])
        return .done(
            "The second factor and the passkeys of \(person.email) are removed: the password alone signs in "
                + "now.")
    }
}
