import DeskEventJSON
package import DeskJSON
package import DeskModel
package import DeskWeb

extension JSONWriter {
    /// Writes a business as its members see it; role and permissions are null for keys and for the
    /// sandbox.
    package mutating func business(
        _ business: Business, _ role: PrincipalRole?, _ services: Services
    ) {
        object {
            $0.member("id", business.id.text)
            $0.member("name", business.name)
            $0.member("colour", business.colour)
            // The digest in the link changes with the picture, so that a kept one is never stale.
            $0.member(
                "picture",
                business.picture.map { "/b/\(business.id.text)/picture?v=\($0.text.prefix(12))" })
            $0.member("mode", business.mode.rawValue)
            $0.member("isSandbox", business.isSandbox)
            $0.member("entryUrl", "\(services.publicURL.origin)/b/\(business.id.text)")
            $0.member("role", role?.name)
            $0.member("permissions") { text in
                guard let role else { return text.null() }
                let names = services.permissions.permissions(of: role).map(\.name).sorted()
                text.array { text in for name in names { text.string(name) } }
            }
            $0.member("assignsOnReply", business.assignsOnReply)
            $0.member("requiresSecondFactor", business.requiresSecondFactor)
        }
    }

    /// Writes a member of a business; without a password the invitation is still open.
    ///
    /// - Parameters:
    ///   - hasSecondFactor: nil where the reader may not know.
    ///   - isProvisioned: whether an identity provider keeps the member; nil where the reader may not know.
    mutating func member(
        _ agent: Agent, _ role: Role, handles: Bool, showsEmail: Bool = true,
        hasSecondFactor: Bool? = nil, isProvisioned: Bool? = nil
    ) {
        object {
            $0.member("id", agent.id.text)
            $0.member("name", agent.name)
            if showsEmail { $0.member("email", agent.email) }
            $0.member("role", role.name)
            $0.member("assignable", handles)
            $0.member("invited", agent.password == nil)
            if let hasSecondFactor { $0.member("hasSecondFactor", hasSecondFactor) }
            if let isProvisioned { $0.member("provisioned", isProvisioned) }
        }
    }

    /// Writes an invitation without its link.
    mutating func invitation(_ invitation: Invitation) {
        object {
            $0.member("id", invitation.id.text)
            $0.member("email", invitation.email)
            $0.member("role", invitation.role.name)
            $0.member("createdAt", invitation.createdAt)
            $0.member("expiresAt", invitation.expiresAt)
        }
    }

    /// Writes a key without its secret; the grants are those that the reader may know of.
    mutating func key(_ key: APIKey, _ authorNames: AuthorNames) {
        object { text in
            text.member("id", key.id.text)
            text.member("name", key.name)
            text.member("mode", key.mode.rawValue)
            text.member("businesses") { text in
                text.array { text in
                    for business in key.businesses { text.string(business.text) }
                }
            }
            text.member("grants") { text in
                text.array { text in
                    for grant in key.grants {
                        text.object { text in
                            text.member("business", grant.business.text)
                            text.member("by", grant.maker?.text)
                            text.member("byName", grant.maker.flatMap { authorNames.name(of: $0) })
                            text.member("at", grant.grantedAt)
                        }
                    }
                }
            }
            text.member("scopes") { text in
                text.array { text in for name in key.scopes.names { text.string(name) } }
            }
            text.member("addresses") { text in
                text.array { text in for one in key.limits.addresses { text.string(one) } }
            }
            text.member("createdAt", key.createdAt)
            text.member("usedAt", key.usedAt)
            text.member("expiresAt", key.limits.expiresAt)
            text.member("revokedAt", key.revokedAt)
            text.member("replaces", key.predecessor?.text)
        }
    }

    /// Writes a request that a key was used for.
    mutating func keyRequest(_ request: KeyRequest) {
        object { text in
            text.member("time", request.time)
            text.member("operation", request.operation)
            text.member("status", request.status)
            text.member("code", request.code.isEmpty ? nil : request.code)
            text.member("milliseconds", request.milliseconds)
            text.member("address", request.address)
            text.member("requestId", request.request)
        }
    }
}
