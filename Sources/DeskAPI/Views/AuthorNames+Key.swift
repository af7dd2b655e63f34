import DeskEventJSON
import DeskWeb

extension AuthorNames {
    /// Remembers a key's name that is at hand.
    func remember(_ key: KeyPrincipal) { remember(key.id, named: key.name) }
}
