import DeskDiagnosis
import DeskJSON
import DeskModel

extension Judging {
    /// Judges what a sign-in says of the page that gets its code, and which version it is.
    mutating func judgeSignIn(_ authenticate: JSONValue) {
        guard context.direction == .outbound, let oauth2 = authenticate["oauth2"],
            let redirect = oauth2[stated: "redirectURI"]
        else { return }
        for name in ["responseEncryptionKey", "clientSecret"] {
            guard let old = oauth2[stated: name] else { continue }
            note(
                .valueIgnored, at: old, found: "\(name) beside redirectURI",
                allowed: "one of the two versions of a sign-in",
                fix: "Leave \(name) out: the code goes to redirectURI.",
                edits: Edit.remove(old).map { [$0] } ?? [])
        }
        guard let text = redirect.stringBytes, text.starts(with: "http://".utf8) else { return }
        // Elsewhere than on this computer a code without encryption is anybody's; of a test business the
        // sandbox sends it to this computer and to its own pages only, and says so where it does not.
        let isTried = context.mode == .test || HostOfAddress(text)?.isLoopback == true
        note(
            isTried ? .signInRedirectNotHTTPS : .wrongForm, at: redirect, found: redirect.quoted,
            allowed: "an https address; http on this computer in a test business only",
            fix: "Serve the page over https.")
    }
}
