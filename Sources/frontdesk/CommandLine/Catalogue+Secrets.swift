import DeskCommandLine

/// The commands of the keys that encrypt secrets in the store.
extension Catalogue {
    static let secretsList = CommandDescription(
        "secrets list", access: .serverOrStore,
        summary: "list the keys that encrypt the stored secrets",
        about: """
            Lists the encryption keys by their ids: which one encrypts, which ones decrypt too, and how
            many secrets each encrypts. No key and no secret is shown. A key that encrypts nothing may
            leave the file, unless a backup still needs it: frontdesk verify says which key that is.
            """,
        flags: anyStore)

    static let secretsRotate = CommandDescription(
        "secrets rotate", access: .store, summary: "encrypt the stored secrets with a new key",
        about: """
            Puts a new key at the top of the file of keys and encrypts every secret with it, in one
            commit. No server may run. The earlier keys stay in the file, behind it, for backups of
            before: delete their lines when no backup needs them. Whatever ends it halfway, the file has
            every key that is in use, and the next start goes on.
            Where the keys are given by the environment: put the new one first there, the others behind
            it, and start; a start encrypts with the first key what others encrypt.
            With --database no node may run on it, and every node needs the file before it starts again. Keys
            of the environment get no new one: the first of them encrypts every secret then.
            """,
        flags: anyStore,
        examples: [
            "frontdesk secrets rotate --data /var/lib/frontdesk",
            "frontdesk secrets rotate --database postgresql://frontdesk@127.0.0.1/frontdesk",
        ])

    static let secretsForget = CommandDescription(
        "secrets forget", access: .store, summary: "give up the secrets whose key is lost",
        about: """
            For a store that does not open because its encryption key is lost. No server may run. Gives
            up every secret whose key is not in the file of keys, which is made when it is missing, and
            leaves all else as it is. The secrets of providers and upstream gateways are gone: it names
            those that need a new one. Second factors accept recovery codes alone then. Addresses of files, join codes and codes of sign-ins that were
            given before are good for nothing then. With --database no node may run on it, and none may have
            a copy of the key: look at their files first.
            """,
        flags: anyStore, examples: ["frontdesk secrets forget --data /var/lib/frontdesk"])
}
