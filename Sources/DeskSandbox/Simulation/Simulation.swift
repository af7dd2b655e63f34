public import DeskAPI
public import DeskHTTP
public import DeskModel
import DeskScript
import DeskWeb
import Synchronization

/// Customers that a script moves, on a clock that stops between steps, in a server that exists for
/// a test.
///
/// They write through the same entry as a phone. What they are called, and what their messages are
/// called, follows from a seed and their name; when, from the clock.
public final class Simulation: Sendable {
    /// Most customers in all; one more is refused.
    static let maximumPeople = 10_000
    /// The longest that one script runs, in real time.
    public static let longestRun = Duration.seconds(600)

    let surroundings: ScriptSurroundings
    /// The clock of the server.
    public let clock: VirtualClock
    private let cast = Mutex<[SimulatedPerson.Key: SimulatedPerson]>([:])

    /// Puts the parts together; the business is the one whose provider is tested.
    public init(
        services: Services, business: Business, files: BlobFiles, clock: VirtualClock,
        client: (any OutgoingClient)? = nil
    ) {
        surroundings = ScriptSurroundings(
            services: services, business: business, files: files, client: client,
            time: VirtualScriptTime(clock: clock))
        self.clock = clock
    }

    // MARK: Who is there

    /// Reserves the customers of a script, new ones included; until they are released they are
    /// busy.
    func take(_ script: CustomerScript) throws(Problem) -> [SimulatedPerson] {
        let result: Result<[SimulatedPerson], Problem> = cast.withLock { cast in
            var taken: [SimulatedPerson] = []
            for person in script.customers {
                let key = SimulatedPerson.Key(seed: script.seed, name: person.name)
                guard let here = cast[key] ?? SimulatedPerson(person, key) else {
                    return .failure(.notFound)
                }
                guard !here.isBusy else {
                    return .failure(SimulatedPerson.isBusy(person.name))
                }
                taken.append(here)
            }
            guard cast.count + taken.count <= Self.maximumPeople else {
                return .failure(
                    Problem(.invalid, "There are \(Self.maximumPeople) customers already."))
            }
            for place in taken.indices {
                taken[place].describe(script.customers[place])
                taken[place].isBusy = true
                cast[taken[place].key] = taken[place]
            }
            return .success(taken)
        }
        return try result.get()
    }

    /// Gives customers back as they are now.
    func giveBack(_ people: [SimulatedPerson]) {
        cast.withLock { cast in
            for var person in people {
                person.isBusy = false
                cast[person.key] = person
            }
        }
    }

    /// The conversations of all customers of a name, whatever their seed.
    func conversations(ofName name: String) -> [ConversationID] {
        cast.withLock { cast in
            cast.values.filter { $0.key.name.utf8.elementsEqual(name.utf8) }.map(\.conversation)
        }
    }
}
