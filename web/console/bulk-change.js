/** So many requests are under way at once, and so often one is repeated that the server puts off. */
const MOST_AT_ONCE = 4;
const MOST_TRIES = 5;
/** The longest pause before a repeated request, in seconds, whatever the server asks for. */
const LONGEST_PAUSE_SECONDS = 10;

/**
 * @typedef {{conversation: any, change: Record<string, any>}} Task `conversation` as it was before
 * @typedef {{done: Task[], failed: (Task & {problem: any})[]}} Outcome
 */

/**
 * Changes several conversations, a few at once. One that is refused does not hold up the others.
 * @param {Task[]} tasks
 * @param {(task: Task) => Promise<void>} send
 * @param {{progress?: (count: number) => void, pause?: (seconds: number) => Promise<void>}} [options] `progress` gets the
 *   number of those that are finished, changed or not
 * @returns {Promise<Outcome>} in the order of the tasks
 */
export async function changeMany(tasks, send, { progress = () => {}, pause = wait } = {}) {
  /** @type {any[]} */
  const problems = new Array(tasks.length).fill(null);
  let next = 0;
  let finished = 0;
  const work = async () => {
    while (next < tasks.length) {
      const at = next;
      next += 1;
      problems[at] = await tried(() => send(tasks[at]), pause);
      finished += 1;
      progress(finished);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, tasks.length) }, work));
  return {
    done: tasks.filter((_, at) => !problems[at]),
    failed: tasks.map((task, at) => ({ ...task, problem: problems[at] })).filter(({ problem }) => problem),
  };
}

/** The refusal of a request, null when it succeeded; one that the server puts off is repeated. */
async function tried(request, pause) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await request();
      return null;
    } catch (problem) {
      // Without a connection all others would wait for as long.
      if (!problem.mayRetry || problem.isOffline || attempt === MOST_TRIES) return problem;
      await pause(Math.min(problem.retryAfterSeconds ?? attempt, LONGEST_PAUSE_SECONDS));
    }
  }
}

function wait(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
