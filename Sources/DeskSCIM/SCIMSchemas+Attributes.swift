/// The attributes of our resources; those that every resource has, such as `externalId`, are not listed.
extension SCIMSchemas {
    /// The attributes of a person.
    static let userAttributes: [SCIMAttribute] = [
        SCIMAttribute(
            name: "userName",
            description: "The name by which the identity provider knows the person.",
            isRequired: true, isUnique: true),
        SCIMAttribute(
            name: "name", kind: .complex, description: "The parts of the person's name.",
            subAttributes: [
                SCIMAttribute(
                    name: "formatted", description: "The whole name.", mutability: .readOnly),
                SCIMAttribute(name: "givenName", description: "The first name."),
                SCIMAttribute(name: "familyName", description: "The last name."),
            ]),
        SCIMAttribute(name: "displayName", description: "The name that colleagues see."),
        SCIMAttribute(
            name: "active", kind: .boolean,
            description: "Whether the person is a member of the business."),
        emails, roles, groups,
    ]

    /// The attributes of a team.
    static let groupAttributes: [SCIMAttribute] = [
        SCIMAttribute(
            name: "displayName", description: "The name of the team.", isRequired: true),
        SCIMAttribute(
            name: "members", kind: .complex, description: "The people of the team.",
            isMultiple: true,
            subAttributes: [
                SCIMAttribute(
                    name: "value", description: "The id of the person.", isCaseExact: true,
                    mutability: .immutable),
                SCIMAttribute(
                    name: "$ref", kind: .reference, description: "The address of the person.",
                    isCaseExact: true, mutability: .immutable, targets: ["User"]),
                SCIMAttribute(
                    name: "display", description: "The name of the person.", mutability: .readOnly),
                SCIMAttribute(
                    name: "type", description: "The kind of the member.", mutability: .immutable,
                    values: ["User"]),
            ]),
    ]

    private static let emails = SCIMAttribute(
        name: "emails", kind: .complex,
        description: """
            The address with which the person signs in. It is read when the person is added, and stays afterwards; \
            a userName that is an address is enough.
            """,
        isMultiple: true, isRequired: true, mutability: .immutable,
        subAttributes: [
            SCIMAttribute(
                name: "value", description: "The address.", isRequired: true,
                mutability: .immutable),
            SCIMAttribute(
                name: "type", description: "What the address is for.", mutability: .immutable,
                values: ["work"]),
            SCIMAttribute(
                name: "primary", kind: .boolean,
                description: "Whether the address is the main one.",
                mutability: .immutable),
        ])

    private static let roles = SCIMAttribute(
        name: "roles", kind: .complex,
        description: """
            What the person may do. One value at most of agent, supervisor and auditor; the role of an \
            owner is shown, and is not given here.
            """,
        isMultiple: true,
        subAttributes: [
            SCIMAttribute(
                name: "value", description: "The role.", values: ["agent", "supervisor", "auditor"]),
            SCIMAttribute(
                name: "primary", kind: .boolean, description: "Whether the role is the main one."),
        ])

    private static let groups = SCIMAttribute(
        name: "groups", kind: .complex,
        description: "The teams of the person, which are changed as members of the Group.",
        isMultiple: true, mutability: .readOnly,
        subAttributes: [
            SCIMAttribute(
                name: "value", description: "The id of the team.", isCaseExact: true,
                mutability: .readOnly),
            SCIMAttribute(
                name: "$ref", kind: .reference, description: "The address of the team.",
                isCaseExact: true, mutability: .readOnly, targets: ["Group"]),
            SCIMAttribute(
                name: "display", description: "The name of the team.", mutability: .readOnly),
            SCIMAttribute(
                name: "type", description: "How the person belongs to the team.",
                mutability: .readOnly, values: ["direct"]),
        ])
}
