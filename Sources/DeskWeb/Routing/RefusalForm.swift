import DeskHTTP
import DeskJSON

/// In which form a route words its refusals.
public enum RefusalForm: Sendable {
    /// A problem document (RFC 9457).
    case problem
    /// An error of SCIM 2.0 (RFC 7644, section 3.12).
    case scim
}

extension Problem {
    /// The whole answer in a route's form.
    func response(as form: RefusalForm) -> Response {
        switch form {
        case .problem: response
        case .scim: answer("application/scim+json", scimBytes)
        }
    }

    private var scimBytes: [UInt8] {
        JSONWriter.object {
            $0.member("schemas") { text in
                text.array { $0.string("urn:ietf:params:scim:api:messages:2.0:Error") }
            }
            $0.member("status", String(code.status.code))
            if let type = scimType ?? (code == .nameTaken ? "uniqueness" : nil) {
                $0.member("scimType", type)
            }
            $0.member("detail", detail)
        }
    }
}
