import DeskJSON
import DeskModel

/// The data of the events of teams, as JSON text.
enum TeamText {
    /// What `team.saved` says.
    static func event(_ team: Team, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            text.member("team") { text in
                text.object { text in
                    text.member("id", team.id.text)
                    text.member("business", team.business.text)
                    text.member("name", team.name)
                    text.member("colour", team.colour)
                    text.member("members") { text in
                        text.array { text in
                            for member in team.members { text.string(member.text) }
                        }
                    }
                    text.member("retired", team.isRetired)
                }
            }
            text.by(author)
        }
    }
}
