import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { focusAgain, rememberPlace } from "../lib/focus-return.js";
import { registerStrings, t } from "../lib/i18n.js";
import { loadPart } from "../lib/late-part.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { field } from "./panel-parts.js";

await registerStrings({ en: () => import("../i18n/en/erasure.js"), ja: () => import("../i18n/ja/erasure.js") });

/** What is counted, in the order in which it is said. */
const COUNTED = ["conversations", "messages", "notes", "files", "scheduled", "drafts", "suggestions"];

/**
 * The erasure of a whole conversation or person, request by request; one that failed goes on where it stopped.
 */
export class WholeErasure {
  #next = null;
  erased = 0;

  /** @param {string} path of the route @param {(erased: number) => void} [progress] */
  constructor(path, progress = () => {}) {
    this.path = path;
    this.progress = progress;
  }

  /** Sends requests until all is erased. */
  async run() {
    for (let isComplete = false; !isComplete;) {
      const answer = await api.post(this.path, undefined, { query: { from: this.#next } });
      [isComplete, this.#next] = [answer.complete, answer.next];
      this.erased += answer.messages + answer.notes;
      this.progress(this.erased);
    }
  }
}

/** Whether what was typed is the name; however it is written. @param {string} typed @param {string} name */
export function isName(typed, name) {
  const plain = (text) => text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
  return plain(typed) === plain(name);
}

/** What goes, in words: everything there is any of. @param {Record<string, number>} counts */
export function countWords(counts) {
  return COUNTED.filter((one) => counts[one] > 0 && (one !== "conversations" || counts[one] > 1)).map((one) => t(`erasure.count.${one}`, { count: counts[one] }));
}

/**
 * Asks whether a conversation or a person is to be erased, and erases it. The name has to be typed.
 * @param {{path: string, kind: "conversation"|"person", name: string}} what
 */
export async function eraseWhole({ path, kind, name }) {
  const opener = /** @type {HTMLElement|null} */ (document.activeElement);
  if (opener) rememberPlace(opener);
  let counts;
  try {
    counts = await api.get(path);
  } catch (problem) {
    return showToast(refusalSentence(problem));
  }
  if (counts.isOnHold) return openHeld(path, kind);
  return new EraseDialog({ path, kind, name, counts, opener }).open();
}

/** Shows what keeps the content, where it can be released. @param {string} path of the erasure @param {"conversation"|"person"} kind */
async function openHeld(path, kind) {
  const parts = await loadPart(() => import("./hold-dialog.js"));
  await parts?.openHold({ path: path.replace(/erasure$/, "legal-hold"), kind, notice: t("holds.refused") });
}

/** The dialog: what goes and what stays, the name, and how far it came. */
class EraseDialog {
  #isRunning = false;

  constructor({ path, kind, name, counts, opener }) {
    this.kind = kind;
    this.name = name;
    this.opener = opener;
    const total = counts.messages + counts.notes;
    this.bar = h("progress", { max: String(Math.max(total, 1)), value: "0", "aria-label": t("erasure.progress"), hidden: true });
    this.alert = h("p", { class: "fd-error", role: "alert" });
    this.news = h("p", { class: "fd-help", role: "status" });
    this.input = h("input", { class: "fd-input", autocomplete: "off", autofocus: true, "aria-required": "true" });
    this.button = h("button", { class: "fd-button is-danger", type: "submit" }, t(`erasure.${kind}.now`));
    this.cancel = h("button", { class: "fd-button", type: "button", onClick: () => this.#close() }, t("shared.cancel"));
    this.erasure = new WholeErasure(path, (erased) => {
      this.bar.value = erased;
      this.news.textContent = t("erasure.soFar", { count: erased, total });
    });
    const goes = countWords(counts);
    const form = h("form", { class: "stack", onSubmit: (event) => { event.preventDefault(); this.#run(); } },
      field("erasure-name", t("erasure.type", { name }), this.input), this.bar, this.news, this.alert,
      h("div", { class: "form-actions" }, this.cancel, this.button));
    this.dialog = h("dialog", { class: "dialog erase-dialog", "aria-label": t(`erasure.${kind}.title`) },
      h("h2", null, t(`erasure.${kind}.title`)), h("p", null, t(`erasure.${kind}.lead`)),
      goes.length ? h("ul", null, goes.map((one) => h("li", null, one))) : null,
      h("p", { class: "fd-help" }, t("erasure.stays")), form);
    // A request that was sent is carried out: the dialog shows how far it came.
    this.dialog.addEventListener("cancel", (event) => { if (this.#isRunning) event.preventDefault(); });
    this.dialog.addEventListener("close", () => this.#closed());
  }

  open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  async #run() {
    if (this.#isRunning) return;
    const isRight = isName(this.input.value, this.name);
    this.input.toggleAttribute("aria-invalid", !isRight);
    this.#say(isRight ? "" : t("erasure.otherName", { name: this.name }));
    if (!isRight) return this.input.focus({ preventScroll: true });
    this.#show(true);
    try {
      await this.erasure.run();
    } catch (problem) {
      this.#show(false);
      // The console says what it waits for.
      if (problem.code === "approval_needed" && !this.erasure.erased) return this.#close();
      this.button.textContent = t("erasure.goOn");
      this.#say(`${refusalSentence(problem)} ${t("erasure.goesOn")}`);
      return;
    }
    this.#show(false);
    this.#close();
    showToast(t(`erasure.${this.kind}.done`));
  }

  /** Says what is wrong, in view where the dialog is higher than the window. */
  #say(problem) {
    this.alert.textContent = problem;
    if (problem) this.alert.scrollIntoView({ block: "nearest" });
  }

  #show(isRunning) {
    this.#isRunning = isRunning;
    this.bar.hidden = false;
    for (const one of [this.button, this.cancel]) one.disabled = isRunning;
    this.input.readOnly = isRunning;
  }

  #close() {
    this.dialog.close();
  }

  #closed() {
    this.dialog.remove();
    if (this.opener && !this.opener.isConnected) focusAgain(this.opener);
  }
}
