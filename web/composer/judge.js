/** Asks the house what it thinks of a text, a moment after the last keystroke; old answers are dropped. */
import { ApiProblem, api } from "../lib/api.js";
import { findingsOfProblem, syntaxFinding } from "./findings.js";
import { readJSON } from "./json-tokens.js";

/** How long the typing has to rest before the house is asked, in milliseconds. */
const restMilliseconds = 300;

/**
 * @typedef {{text: string, findings: object[], kind: string|null, summary: string|null,
 *   isSettled: boolean, isUnreachable: boolean, problem: ApiProblem|null}} Verdict
 */

export class Judge {
  #timer = 0;
  #running = null;
  #text = null;

  /** @param {(verdict: Verdict) => void} tell */
  constructor(tell) {
    this.tell = tell;
    /** Where to ask; null while there is no conversation. */
    this.path = null;
  }

  /**
   * Judges a text: the syntax at once, the rules when the typing rests.
   * @param {string} text
   */
  ask(text) {
    if (text === this.#text) return;
    this.#text = text;
    clearTimeout(this.#timer);
    this.#running?.abort();
    const { error } = readJSON(text);
    if (error) return this.#answer(text, { findings: [syntaxFinding(error)], isSettled: true });
    if (!this.path) return this.#answer(text, { isSettled: true });
    this.#answer(text, { isSettled: false });
    this.#timer = setTimeout(() => this.#fetch(text), restMilliseconds);
  }

  /** Forgets what was asked, so that the same text is judged anew. */
  forget() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#text = null;
  }

  async #fetch(text) {
    const stop = (this.#running = new AbortController());
    try {
      const answer = await api.postText(this.path, text, { signal: stop.signal });
      if (text !== this.#text) return;
      this.#answer(text, {
        findings: answer.findings ?? [], kind: answer.kind, summary: answer.summary, isSettled: true,
      });
    } catch (problem) {
      if (text !== this.#text || stop.signal.aborted) return;
      if (!(problem instanceof ApiProblem)) throw problem;
      const isJudgement = [400, 413, 422].includes(problem.status);
      this.#answer(text, {
        findings: isJudgement ? findingsOfProblem(problem, text) : [], isSettled: true,
        isUnreachable: problem.mayRetry, problem,
      });
      if (problem.mayRetry) this.#text = null;
    }
  }

  #answer(text, verdict) {
    this.tell({ text, findings: null, kind: null, summary: null, isUnreachable: false, problem: null, ...verdict });
  }
}
