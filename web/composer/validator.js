/** Validates a text shortly after the last keystroke: its syntax here, the rest on the server; answers to older texts are dropped. */
import { ApiProblem, api } from "../lib/api.js";
import { findingsOfProblem, syntaxFinding } from "./findings.js";
import { readJSON } from "./json-tokens.js";

/** How long the typing has to pause before the server is called, in milliseconds. */
const restMilliseconds = 300;

/**
 * @typedef {{text: string, findings: object[], kind: string|null, summary: string|null,
 *   isSettled: boolean, isUnreachable: boolean, problem: ApiProblem|null}} Verdict
 */

export class Validator {
  #timer = 0;
  #running = null;
  #text = null;

  /** @param {(verdict: Verdict) => void} notify */
  constructor(notify) {
    this.notify = notify;
    /** The address of validation; null while there is no conversation. */
    this.path = null;
  }

  /**
   * Validates a text when the typing pauses; a half-typed word gets no finding.
   * @param {string} text
   */
  ask(text) {
    if (text === this.#text) return;
    this.#text = text;
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#answer(text, { isSettled: false });
    this.#timer = setTimeout(() => this.#validator(text), restMilliseconds);
  }

  /** Drops the last result, so that the same text is validated again. */
  forget() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#text = null;
  }

  #validator(text) {
    const { error } = readJSON(text);
    if (error) this.#answer(text, { findings: [syntaxFinding(error, text)], isSettled: true });
    else if (!this.path) this.#answer(text, { isSettled: true });
    else this.#fetch(text);
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
      const hasVerdict = [400, 413, 422].includes(problem.status);
      this.#answer(text, {
        findings: hasVerdict ? findingsOfProblem(problem, text) : [], isSettled: true,
        isUnreachable: problem.mayRetry, problem,
      });
      if (problem.mayRetry) this.#text = null;
    }
  }

  #answer(text, verdict) {
    this.notify({ text, findings: null, kind: null, summary: null, isUnreachable: false, problem: null, ...verdict });
  }
}

/**
 * What to show of a verdict. While an answer is pending the last findings stay in view, so that nothing
 * flickers; the forms show them already, and an editor has moved them along. Their bytes are of an
 * older text.
 * @param {Verdict} verdict
 * @param {any[]} before the findings in view
 * @returns {{findings: any[], isCarried: boolean}}
 */
export function findingsToShow(verdict, before) {
  const isCarried = verdict.findings === null && !verdict.isSettled;
  if (!isCarried) return { findings: verdict.findings ?? [], isCarried };
  return {
    findings: before.filter((finding) => !finding.isOwn)
      .map(({ start, end, line, column, offset, edits, ...finding }) => finding),
    isCarried,
  };
}
