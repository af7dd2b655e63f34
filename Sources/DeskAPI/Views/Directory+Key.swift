import DeskEventJSON

extension Directory {
    /// Remembers a key's name that is at hand.
    func learn(_ key: KeyPrincipal) { learn(key.id, named: key.name) }
}
