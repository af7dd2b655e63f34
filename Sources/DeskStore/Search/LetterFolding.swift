/// Letters without their marks: Latin and Greek as people type them quickly.
enum LetterFolding {
    /// Each line is a plain letter and then the letters that a search treats as the same.
    private static let lines = """
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ
        bḃḅḇ
        cçćĉċčḉ
        dďđḋḍḏḑḓ
        eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ
        fḟ
        gĝğġģǧǵḡ
        hĥħȟḣḥḧḩḫẖ
        iìíîïĩīĭįıǐȉȋḭḯỉị
        jĵǰ
        kķǩḱḳḵ
        lĺļľłḷḹḻḽ
        mḿṁṃ
        nñńņňǹṅṇṉṋ
        oòóôõöøōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ
        pṕṗ
        rŕŗřȑȓṙṛṝṟ
        sśŝşšșṡṣṥṧṩ
        tţťŧțṫṭṯṱẗ
        uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự
        vṽṿ
        wŵẁẃẅẇẉẘ
        xẋẍ
        yýÿŷȳẏẙỳỵỷỹ
        zźżžẑẓẕ
        æǣǽ
        øǿ
        ſẛ
        ʒǯ
        αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ
        εέἐἑἒἓἔἕὲέ
        ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ
        ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ
        οόὀὁὂὃὄὅὸό
        ρῤῥ
        σς
        υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ
        ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ
        ϒϓϔ
        """

    /// Half-width katakana in their order from U+FF66 on.
    private static let wideKatakana = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)

    private static let plain: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for line in lines.split(separator: "\n") {
            guard let letter = line.unicodeScalars.first else { continue }
            for other in line.unicodeScalars.dropFirst() { table[other] = letter }
        }
        return table
    }()

    /// Letters that are no other letter with a mark, in scripts whose marks are dropped.
    ///
    /// The names of files come with two scalars for each from some computers. Strings are equal where they
    /// are canonically equivalent, so that both forms find the one scalar.
    private static let composed: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [:]
        for letter in "йёїўѓќѐѝӂӑӓӗӛӝӟӣӥӧӫӭӯӱӳӵӹѷآأؤإئۀۂۓ".unicodeScalars {
            table[String(letter)] = letter
        }
        return table
    }()

    /// Whether a scalar marks the letter before it and says nothing in a search.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F: true
        // Points of Hebrew.
        case 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7: true
        // Vowels of Arabic, and the stroke that lengthens words.
        case 0x640, 0x64B...0x652, 0x670: true
        default: false
        }
    }

    /// The one letter that two scalars are together; nil where they are two.
    static func joined(_ letter: Unicode.Scalar, with next: Unicode.Scalar) -> Unicode.Scalar? {
        switch next.value {
        case 0x300...0x30F, 0x653...0x655:
            guard (0x400...0x6FF).contains(letter.value) else { return nil }
            return composed["\(letter)\(next)"]
        case 0x1161...0x1175, 0x11A8...0x11C2: return syllable(letter, with: next)
        default: return voiced(letter, by: next)
        }
    }

    /// The syllable of Hangul that a lead and a vowel are, or one without an end and its end.
    private static func syllable(
        _ letter: Unicode.Scalar, with next: Unicode.Scalar
    ) -> Unicode.Scalar? {
        switch (letter.value, next.value) {
        case (0x1100...0x1112, 0x1161...0x1175):
            Unicode.Scalar(
                0xAC00 + ((letter.value - 0x1100) * 21 + next.value - 0x1161) * 28)
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (letter.value - 0xAC00) % 28 == 0:
            Unicode.Scalar(letter.value + next.value - 0x11A7)
        default: nil
        }
    }

    /// Lower case, without marks, of ordinary width.
    static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x41...0x5A: return Unicode.Scalar(UInt8(scalar.value + 0x20))
        case 0..<0x80: return scalar
        case 0xFF01...0xFF5E: return fold(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
        case 0xFF66...0xFF9D: return wideKatakana[Int(scalar.value - 0xFF66)]
        default:
            let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
            return plain[lower] ?? lower
        }
    }

    /// A kana with the sound mark that follows it; nil when the two make no letter.
    private static func voiced(_ kana: Unicode.Scalar, by mark: Unicode.Scalar) -> Unicode.Scalar? {
        let step: UInt32
        switch mark.value {
        case 0x3099, 0xFF9E: step = 1
        case 0x309A, 0xFF9F: step = 2
        default: return nil
        }
        // Hiragana and katakana lie 96 apart and in the same order.
        let place = kana.value >= 0x30A1 ? kana.value - 0x60 : kana.value
        let isBare =
            switch place {
            case 0x304B...0x3061: step == 1 && place % 2 == 1
            case 0x3064...0x3068: step == 1 && place % 2 == 0
            case 0x306F...0x307B: (place - 0x306F) % 3 == 0
            default: false
            }
        if place == 0x3046, step == 1 { return Unicode.Scalar(kana.value + 0x4E) }
        return isBare ? Unicode.Scalar(kana.value + step) : nil
    }
}
