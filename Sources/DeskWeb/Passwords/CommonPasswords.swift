import DeskBytes

/// What people try first, as far as it can reach 15 characters: common passwords strung together.
///
/// Published lists of the commonest passwords hold hardly any of 15 characters and more: of the
/// 30,000 of zxcvbn (MIT), 31. So a password is refused when little remains after removing the
/// pieces below, digits and punctuation: the words, names and key rows that such lists are made of,
/// and as whole pieces those of the 31 that are made of nothing else.
enum CommonPasswords {
    /// Letters that may remain.
    private static let rest = 3

    /// Whether a password, in lower case, is made of common pieces.
    package static func contains(_ lower: [UInt8]) -> Bool {
        letters(in: lower) <= rest || letters(in: lower.map(plain)) <= rest
    }

    /// The letters that remain without common pieces.
    private static func letters(in text: [UInt8]) -> Int {
        var index = 0
        var left = 0
        while index < text.count {
            let length = longestPiece(in: text, at: index)
            if length > 0 {
                index += length
            } else {
                if ASCII.isLetter(text[index]) || text[index] >= 0x80 { left += 1 }
                index += 1
            }
        }
        return left
    }

    private static func longestPiece(in text: [UInt8], at start: Int) -> Int {
        for length in stride(from: min(longest, text.count - start), through: shortest, by: -1)
        where pieces.contains(ByteString(Array(text[start..<(start + length)]))) {
            return length
        }
        return 0
    }

    /// The letter that a digit or sign often replaces.
    private static func plain(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"), UInt8(ascii: "!"): UInt8(ascii: "i")
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
        case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "s")
        case UInt8(ascii: "7"): UInt8(ascii: "t")
        default: byte
        }
    }

    private static let pieces = Set(
        text.utf8.split { $0 == 0x20 || $0 == 0x0A }.map { ByteString(Array($0)) })
    private static let longest = pieces.map(\.bytes.count).max() ?? 0
    private static let shortest = pieces.map(\.bytes.count).min() ?? 1

    private static let text = """
        password passwort passw0rd contrasena motdepasse parola haslo senha wachtwoord pasuwado
        pass word pwd admin administrator root user guest login logon test tester testing demo
        welcome willkommen bienvenue hello hallo hola changeme change letmein let me in access
        open sesame secret geheim master default temp temporary qwerty qwertz azerty
        qwertyuiop asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm qaz wsx edc rfv tgb yhn ujm qazwsx
        qweasd qweasdzxc poiuytrewq lkjhgfdsa mnbvcxz abc abcd abcde abcdef abcdefg abcdefgh
        abcdefghijklmnopqrstuvwxyz xyz aaa bbb ccc iloveyou love lover loveme loveyou ihateyou
        hate forever always princess queen king prince angel angels baby babygirl babyboy
        sunshine sunset rainbow flower flowers butterfly monkey dragon tiger lion eagle falcon
        horse1 puppy kitty kitten dog cat bear wolf shark panther spider superman batman
        spiderman ironman hulk starwars pokemon pikachu mario zelda naruto football soccer
        baseball basketball hockey golf tennis rugby cricket yankees cowboys lakers arsenal
        chelsea liverpool manchester united barcelona madrid juventus ferrari porsche mercedes
        toyota honda mustang corvette harley yamaha computer internet windows linux apple
        samsung google facebook twitter instagram youtube whatsapp microsoft oracle cisco
        server network database system security michael jordan jennifer jessica michelle
        ashley amanda nicole daniel joshua matthew andrew anthony thomas robert charlie george
        william james john david maria anna laura sophie london paris berlin tokyo newyork
        america england deutschland france espana japan china summer winter spring autumn
        january february march april may june july august september october november december
        monday tuesday wednesday thursday friday saturday sunday freedom whatever trustno
        killer hunter ranger gamer player cheese chocolate cookie banana orange coffee pepper
        ginger silver golden gold diamond money dollar lucky magic shadow ninja samurai matrix
        phoenix thunder company business office frontdesk customer service support helpdesk
        qwer wert asdfzx q1w2e3r4 t5y6u7i8 o9p0 1qa2ws3ed4rf5tg 1qazxsw23edcvfr4 qwert asdfg zxcvb
        mailcreated5240 polniypizdec0211 polniypizdec110211 momsanaladventure hd764nw5d7e1vb1
        23176djivanfros zqjphsyf6ctifgu lhbjkjubz2957704 nemvxyheqdd5oqxyxyzi passwordstandard
        bpgjldsgjldthnf
        my is the you and one two three four five six seven eight nine zero new old this that
        """
}
