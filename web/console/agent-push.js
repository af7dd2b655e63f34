import { api } from "../lib/api.js";
import { PushNotices } from "../lib/push-notices.js";
import { NOTICE_WORKER } from "./shown-notice.js";
import { readPushChoice, writePushChoice } from "./push-choice.js";

/** Whether this browser notifies an agent while no console of theirs is in use, and the tests of it. */
class AgentPush extends PushNotices {
  #reading = null;

  /** Those who ask at once, such as the page that begins and its settings, share one reading. */
  read() {
    this.#reading ??= super.read().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  /** Has the server push a test to this browser. */
  async sendTest() {
    if (await this.#isTestSent()) return;
    // The browser or the server has lost the subscription.
    await this.read();
    if (!await this.#isTestSent()) throw new Error("there is no subscription");
  }

  /** Whether a test is on its way; false where there is no subscription, here or at the server. */
  async #isTestSent() {
    const path = await this.findPath();
    if (!path) return false;
    return api.post(`${path}/test`).then(() => true, (problem) => {
      if (problem.status !== 404) throw problem;
      return false;
    });
  }
}

/** What this page knows, by agent: the state of each is one. @type {Map<string, AgentPush>} */
const known = new Map();

/** Whether this browser notifies an agent. @param {string} agent its id @returns {AgentPush} */
export function pushOf(agent) {
  const push = known.get(agent) ?? new AgentPush({
    base: "/api/session/push", worker: NOTICE_WORKER, subscriber: () => agent, renews: true,
    choice: { read: () => readPushChoice(agent), write: (isOn) => writePushChoice(agent, isOn) },
    // Quiet hours are those of the place where the agent is.
    more: () => ({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  });
  known.set(agent, push);
  return push;
}

/**
 * What a page does when an agent begins in it: renews the subscription that the agent chose, or ends the one of an agent who was
 * signed in before, so that no one is shown what is another's.
 * @param {string} agent
 */
export async function beginPush(agent) {
  const push = pushOf(agent);
  await (push.chosen ? push.read() : push.leave()).catch(() => {});  // Safe: the next load does it again.
}

/** The agent signs out: the server has ended the subscription. @param {string} agent */
export async function endPush(agent) {
  const push = pushOf(agent);
  known.delete(agent);
  await push.leave().catch(() => {});  // Safe: the server pushes nothing to it any more.
}
