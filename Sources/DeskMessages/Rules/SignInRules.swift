import DeskDiagnosis
import DeskJSON
import DeskModel

extension Judging {
    /// Judges what a sign-in says of the page that gets its code, and which version it is.
    mutating func judgeSignIn(_ authenticate: JSONValue) {
        guard context.direction == .outbound, let oauth2 = authenticate["oauth2"] else { return }
        guard let redirect = oauth2[stated: "redirectURI"] else {
            return judgeSignInWithoutPage(oauth2)
        }
        judgeResponseType(of: oauth2)
        for name in ["responseEncryptionKey", "clientSecret"] {
            guard let old = oauth2[stated: name] else { continue }
            note(
                .valueIgnored, at: old, found: "\(name) beside redirectURI",
                allowed: "one of the two versions of a sign-in",
                fix: "Leave \(name) out: the code goes to redirectURI.",
                edits: Edit.remove(old).map { [$0] } ?? [])
        }
        guard let text = redirect.stringBytes else { return }
        // RFC 6749 3.1.2: what stands behind it never reaches the page.
        if text.contains(UInt8(ascii: "#")) {
            note(
                refusing(.wrongForm), at: redirect, found: redirect.quoted,
                allowed: "an address without a fragment", fix: "Leave out the # and what follows.")
        }
        guard text.starts(with: "http://".utf8) else { return }
        // Elsewhere than on this computer a code without encryption is anybody's; of a test business the
        // sandbox sends it to this computer and to its own pages only, and says so where it does not.
        let isTried = context.mode == .test || HostOfAddress(text)?.isLoopback == true
        note(
            isTried ? .signInRedirectNotHTTPS : .wrongForm, at: redirect, found: redirect.quoted,
            allowed: "an https address; http on this computer in a test business only",
            fix: "Serve the page over https.")
    }

    /// Judges a sign-in that names no page: one of the first version, or one that lacks its page.
    private mutating func judgeSignInWithoutPage(_ oauth2: JSONValue) {
        // Where there is no key either, the schema says so.
        guard oauth2[stated: "responseEncryptionKey"] != nil else { return }
        let data = root["interactiveData"]?["data"]
        guard data?["version"]?.equals("2.0") == true else {
            if oauth2[stated: "clientSecret"] == nil {
                note(
                    .memberAdvised, at: oauth2, found: "no clientSecret",
                    allowed: "clientSecret beside responseEncryptionKey",
                    fix: "Add clientSecret, or send a redirectURI instead of the key.")
            }
            return
        }
        note(
            refusing(.missingKey), at: oauth2, found: "version 2.0 without redirectURI",
            allowed: "redirectURI, the page that gets the code",
            fix: "Add redirectURI, or send version 1.0 with the key.")
        judgeResponseType(of: oauth2)
    }

    /// Judges what a sign-in of the second version asks for: its page gets codes only.
    private mutating func judgeResponseType(of oauth2: JSONValue) {
        guard let type = oauth2["responseType"], type.equals("token") else { return }
        note(
            refusing(.wrongValue), at: type, found: type.quoted,
            allowed: "code, where redirectURI gets it", fix: "Ask for code.",
            edits: [.replace(type, withString: "code")])
    }

    /// A rule against what the channel carries and a device then cannot do: refused here, and only said of what another
    /// program sends.
    private func refusing(_ rule: Rule) -> Rule {
        context.profile == .strict ? rule : .memberAdvised
    }
}
