/** What validation says of the draft of the open form. */
import { alikeOnce } from "./findings-fold.js";
import { Validator, findingsToShow } from "./validator.js";

/**
 * @typedef {{text: string, findings: any[], isSettled: boolean, isUnreachable?: boolean}} Judged
 */

export class Judgement {
  /** @type {Judged|null} null while nothing is judged */
  verdict = null;
  #validator = new Validator((verdict) => this.#receive(verdict));
  #form;
  #changed;

  /**
   * @param {() => import("./kind-form.js").KindForm & Record<string, any>} form the open one
   * @param {() => void} changed called when there is a new verdict of its text
   */
  constructor(form, changed) {
    this.#form = form;
    this.#changed = changed;
  }

  /** The address of validation; null while there is no conversation. @param {string|null} path */
  set path(path) { this.#validator.path = path; }

  /** Asks for a verdict of the form's text, after a pause in the typing. @param {string} text */
  ask(text) { this.#validator.ask(text); }

  /** Drops the verdict, so that the same text is judged again. */
  forget() {
    this.#validator.forget();
    this.verdict = null;
  }

  /** The server refused a message with these findings. @param {string} text @param {any[]} findings */
  refuse(text, findings) { this.verdict = { text, findings, isSettled: true }; }

  get findings() { return this.verdict?.findings ?? []; }

  get errors() { return this.findings.filter(({ severity }) => severity === "error"); }

  /**
   * How many findings, or errors, are counted for the writer: alike ones without a field are one, as in their list.
   * @param {any} form
   * @param {boolean} hasOwnList a form that lists each
   */
  rowsIn(form, hasOwnList, counted = this.findings.filter(({ severity }) => severity !== "info")) {
    return hasOwnList ? counted.length : alikeOnce(counted, (pointer) => form.hasField(pointer)).length;
  }

  /** Whether a text is known to have errors. @param {string} text */
  hasErrors(text) {
    return Boolean(this.verdict?.text === text && this.verdict.isSettled && this.errors.length);
  }

  #receive(verdict) {
    const form = this.#form();
    if (!form || (form.isBlank() ? "" : form.text()) !== verdict.text) return;
    const { findings, isCarried } = findingsToShow(verdict, this.findings);
    this.verdict = { ...verdict, findings: [...form.ownFindings(), ...findings] };
    if (!isCarried) form.markFindings(this.findings);
    this.#changed();
  }
}
