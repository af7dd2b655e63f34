import DeskBytes
import DeskCrypto

/// What an account has that a provider adds: the form of a stored password, and no password.
///
/// Its key is random, and no text is known from which it comes. To derive one from a random text would be no safer: it would
/// occupy the queue in which people sign in, a quarter of a second for each of the thousands whom a provider adds.
enum SCIMPassword {
    /// The text to store, another one each time.
    static func make() -> String {
        let scrypt = Scrypt.password
        return [
            "scrypt", String(scrypt.cost), String(scrypt.blockSize), String(scrypt.parallelism),
            Base64.encode(RandomBytes.make(16), alphabet: .url),
            Base64.encode(RandomBytes.make(32), alphabet: .url),
        ].joined(separator: "$")
    }
}
