/** So many conversations are changed by one request; more at once need the permission `conversations.bulk`. */
export const MOST_AT_ONCE = 100;
/** So often a request is repeated that the server puts off. */
const MOST_TRIES = 5;
/** The longest pause before a repeated request, in seconds, whatever the server asks for. */
const LONGEST_PAUSE_SECONDS = 60;

/**
 * @typedef {{conversation: any, change: Record<string, any>}} Task `conversation` as it was before
 * @typedef {{done: (Task & {undo: Record<string, any>|null})[], failed: (Task & {problem: any})[]}} Outcome `undo`: the change
 *   that puts back what was before; null where nothing was changed
 */

/**
 * Changes several conversations, in one request for a hundred. One that is refused does not hold up the others.
 * @param {Task[]} tasks
 * @param {(tasks: Task[]) => Promise<{status: number, undo?: Record<string, any>|null, problem?: any}[]>} send gives what became of
 *   each, in their order
 * @param {{progress?: (count: number) => void, waiting?: (seconds: number) => void, pause?: (seconds: number) => Promise<void>}} [options]
 *   `progress` gets the number of those that are finished, changed or not; `waiting` the seconds before a request goes on
 * @returns {Promise<Outcome>} in the order of the tasks
 */
export async function changeMany(tasks, send, { progress = () => {}, waiting = () => {}, pause = wait } = {}) {
  const outcome = { done: [], failed: [] };
  const put = async (seconds) => {
    waiting(seconds);
    await pause(seconds);
  };
  for (let from = 0; from < tasks.length; from += MOST_AT_ONCE) {
    const piece = tasks.slice(from, from + MOST_AT_ONCE);
    const answers = await tried(() => send(piece), put);
    piece.forEach((task, at) => {
      const { status, undo = null, problem } = answers[at] ?? answers.all;
      if (status === 200) outcome.done.push({ ...task, undo });
      else outcome.failed.push({ ...task, problem });
    });
    progress(from + piece.length);
  }
  return outcome;
}

/** The answers to a request; one that the server puts off is repeated. A refusal is that of `all`. */
async function tried(request, pause) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (problem) {
      // Without a connection all others would wait for as long.
      if (!problem.mayRetry || problem.isOffline || attempt === MOST_TRIES) return { all: { status: problem.status ?? 0, problem } };
      await pause(Math.min(problem.retryAfterSeconds ?? attempt, LONGEST_PAUSE_SECONDS));
    }
  }
}

function wait(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
