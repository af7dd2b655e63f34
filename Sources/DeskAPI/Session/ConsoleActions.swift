/// The actions of the console that have keys, as `web/console/shortcuts.js` has them; a test compares the two.
enum ConsoleActions {
    /// Each action's key unless its agent chose another; "" for none.
    static let keys = [
        "next": "j", "previous": "k", "select": "x", "saveView": "S", "search": "s",
        "view.mine": "1", "view.unassigned": "2", "view.waiting": "3", "view.mentions": "4",
        "view.all": "5", "view.pending": "6", "view.snoozed": "7", "view.closed": "8",
        "view.due": "9", "view.withBot": "0", "close": "e", "assign": "a", "assignee": "A",
        "unassign": "U",
        "snooze": "z", "labels": "l", "priority": "p", "pending": "P", "takeOver": "t", "undo": "u",
        "side": "]",
        "preview": "v", "find": "f", "reply": "r", "note": "n", "macro": "m", "template": "/",
        "kind.text": "c x", "kind.quickReply": "c q", "kind.list": "c l", "kind.time": "c t",
        "kind.payment": "c p", "kind.form": "c f", "kind.authentication": "c s",
        "kind.richLink": "c k", "kind.app": "c a", "kind.myApp": "c m", "kind.raw": "c r",
        "inbox": "g i", "templates": "g t", "reports": "g r", "settings": "g s", "sheet": "?",
    ]

    /// Whether a key can be chosen: one character, or two with a space between.
    static func isKey(_ text: String) -> Bool {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy {
                $0.unicodeScalars.count == 1
                    && $0.unicodeScalars.allSatisfy { !$0.properties.isWhitespace }
            }
    }

    /// The action that has a key too, or one that begins with it, among the own keys and the others.
    static func owner(of key: String, beside action: String, _ own: [String: String]) -> String? {
        guard !key.isEmpty else { return nil }
        return keys.keys.sorted().first { other in
            guard other != action, let one = own[other] ?? keys[other], !one.isEmpty else {
                return false
            }
            return one == key || one.hasPrefix(key + " ") || key.hasPrefix(one + " ")
        }
    }
}
