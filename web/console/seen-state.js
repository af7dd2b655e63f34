/** So long a change is on screen before a person who presses something has seen it, in milliseconds. */
const SEEING_MILLISECONDS = 1_000;

/** What others make of the conversation on screen: what is pressed in the same moment means the state before it. */
export class SeenState {
  /** The changes of others, with the state that each replaced. @type {{at: number, before: string}[]} */
  #changes = [];

  /** @param {string} before the state on screen @param {number} at as `event.timeStamp` counts */
  note(before, at) {
    this.#changes = [...this.#changes.filter((one) => one.at > at - SEEING_MILLISECONDS), { at, before }];
  }

  /** The state that a person has seen who presses something. @param {string} shown the state on screen @param {number} when */
  at(shown, when) {
    return this.#changes.find(({ at }) => at > when - SEEING_MILLISECONDS)?.before ?? shown;
  }
}

/** The change that closes what was seen in a state, or opens it again. @param {string} state */
export function closeWish(state) {
  return { state: state === "closed" ? "open" : "closed" };
}
