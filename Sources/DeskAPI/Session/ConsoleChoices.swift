import DeskCalendar
import DeskJSON
import DeskModel
import DeskTeam
import DeskWeb

/// What an agent chose for the console, on every device; what is nil was not chosen.
struct ConsoleChoices {
    /// When nothing is to be heard or shown, by the clocks of the agent's device; may go over midnight.
    struct Quiet {
        var isOn: Bool
        var from: String
        var until: String
    }

    /// Which keys run which actions.
    struct Keys {
        var isOff: Bool
        /// The keys that differ from those of `ConsoleActions`; "" for none.
        var own: [String: String]
    }

    /// What can be chosen with yes or no.
    enum Claim: String, CaseIterable {
        case sound, browser, badge, title, firstSteps
    }

    var notices: [NoticeReason: Bool] = [:]
    var claims: [Claim: Bool] = [:]
    var quiet: Quiet?
    var keys: Keys?

    /// Reads what was stored; nothing is chosen where it is nil.
    ///
    /// Each member by itself: what a program with other words or keys wrote is left out alone, and the others count.
    init(stored: [UInt8]?) {
        guard let stored, let value = JSONValue.parsed(stored),
            var fields = try? Fields(value)  // Safe: what is no object chose nothing.
        else { return }
        for claim in Claim.allCases { claims[claim] = fields.claim(claim.rawValue) }
        // Safe: what cannot be read was not chosen.
        if var notices = fields.value("notices").flatMap({ try? Fields($0) }) {
            for notice in NoticeReason.allCases {
                self.notices[notice] = notices.claim(notice.rawValue)
            }
        }
        quiet = fields.value("quiet").flatMap { try? Self.quiet($0) }  // Safe: as above.
        keys = fields.value("keys").flatMap { Self.keys(stored: $0) }
    }

    /// Reads the choices of a request.
    ///
    /// - Throws: `invalid` with the place of each fault.
    init(_ value: JSONValue) throws(Problem) {
        var fields = try Fields(value)
        for claim in Claim.allCases { claims[claim] = fields.claim(claim.rawValue) }
        let notices = fields.value("notices").flatMap { $0.isNull ? nil : $0 }
        let quiet = fields.value("quiet").flatMap { $0.isNull ? nil : $0 }
        let keys = fields.value("keys").flatMap { $0.isNull ? nil : $0 }
        try fields.finish()
        if let notices {
            var fields = try Fields(notices)
            for notice in NoticeReason.allCases {
                self.notices[notice] = fields.claim(notice.rawValue)
            }
            try fields.finish()
        }
        if let quiet { self.quiet = try Self.quiet(quiet) }
        if let keys { self.keys = try Self.keys(keys) }
    }

    /// Applies what a request chose.
    mutating func apply(_ change: ConsoleChoices) {
        notices.merge(change.notices) { $1 }
        claims.merge(change.claims) { $1 }
        quiet = change.quiet ?? quiet
        keys = change.keys ?? keys
    }

    /// What the agent is notified of, and when not.
    func notices(in zones: TimeZones) -> NoticeChoices {
        NoticeChoices(
            notices,
            quiet: quiet.flatMap {
                $0.isOn ? NoticeChoices.Quiet(from: $0.from, until: $0.until) : nil
            }, isSilent: claims[.sound] == false, zones: zones)
    }

    /// The JSON that is stored and answered.
    var json: [UInt8] {
        JSONWriter.object { text in
            if !notices.isEmpty {
                text.member("notices") { text in
                    text.object { text in
                        for notice in NoticeReason.allCases {
                            if let isOn = notices[notice] { text.claim(notice.rawValue, isOn) }
                        }
                    }
                }
            }
            for claim in Claim.allCases {
                if let isOn = claims[claim] { text.claim(claim.rawValue, isOn) }
            }
            if let quiet {
                text.member("quiet") {
                    $0.object {
                        $0.member("isOn", quiet.isOn)
                        $0.member("from", quiet.from)
                        $0.member("until", quiet.until)
                    }
                }
            }
            if let keys {
                text.member("keys") { text in
                    text.object { text in
                        text.member("isOff", keys.isOff)
                        text.member("own") { text in
                            text.object { text in
                                for (action, key) in keys.own.sorted(by: { $0.key < $1.key }) {
                                    text.key(text: action)
                                    text.string(key)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func quiet(_ value: JSONValue) throws(Problem) -> Quiet {
        var fields = try Fields(value)
        let isOn = fields.requireClaim("isOn")
        var times: [String] = []
        for name in ["from", "until"] {
            guard let time = fields.requireText(name, bytes: 1...8) else { continue }
            if BusinessHours.isTimeOfDay(time) {
                times.append(time)
            } else {
                fields.note(name, "a time from 00:00 to 23:59", "Send \(name) as HH:MM.")
            }
        }
        try fields.finish()
        guard let isOn, times.count == 2 else { throw .notFound }
        return Quiet(isOn: isOn, from: times[0], until: times[1])
    }

    /// The keys that were stored.
    ///
    /// An action of a later program that has a chosen key by itself goes without one.
    private static func keys(stored: JSONValue) -> Keys? {
        guard var fields = try? Fields(stored) else { return nil }  // Safe: nothing was chosen.
        var own: [String: String] = [:]
        // Safe: as above.
        if var members = fields.value("own").flatMap({ try? Fields($0) }) {
            for action in ConsoleActions.keys.keys {
                guard let key = members.text(action, bytes: 0...16),
                    key.isEmpty || ConsoleActions.isKey(key)
                else { continue }
                own[action] = key
            }
        }
        for action in own.keys.sorted() {
            while let key = own[action],
                let owner = ConsoleActions.owner(of: key, beside: action, own)
            {
                own[owner] = ""
            }
        }
        return Keys(isOff: fields.claim("isOff") ?? false, own: own)
    }

    private static func keys(_ value: JSONValue) throws(Problem) -> Keys {
        var fields = try Fields(value)
        let isOff = fields.requireClaim("isOff")
        let stated = fields.requireValue("own")
        var own: [String: String] = [:]
        if let stated {
            var members = try Fields(stated)
            for action in ConsoleActions.keys.keys {
                guard let key = members.text(action, bytes: 0...16) else { continue }
                if key.isEmpty || ConsoleActions.isKey(key) {
                    own[action] = key
                } else {
                    members.note(
                        action, "one character, or two with a space between, or an empty text",
                        "Send a key as the browser names it.")
                }
            }
            for (action, key) in own.sorted(by: { $0.key < $1.key }) {
                guard let owner = ConsoleActions.owner(of: key, beside: action, own) else {
                    continue
                }
                members.note(
                    action, "a key of one meaning: \(key) begins or is the key of \(owner)",
                    "Choose another key, or give \(owner) another one too.")
            }
            try members.finish()
        }
        try fields.finish()
        guard let isOff else { throw .notFound }
        return Keys(isOff: isOff, own: own)
    }
}

extension Fields {
    /// True or false, which must be there; a finding otherwise.
    fileprivate mutating func requireClaim(_ name: String) -> Bool? {
        let value = requireValue(name)
        if let value, value.isNull {
            note(.value, value, "true or false", "Send true or false.")
        }
        return claim(name)
    }
}

extension JSONWriter {
    fileprivate mutating func claim(_ name: String, _ value: Bool) {
        key(text: name)
        bool(value)
    }
}
