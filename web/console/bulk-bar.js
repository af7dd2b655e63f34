import { api, ApiProblem } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { openMenu } from "../lib/popup.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { openAssignMenu } from "./assign-choices.js";
import { changeMany, MOST_AT_ONCE } from "./bulk-change.js";
import { isBackAlready, takenWords } from "./changes.js";
import { openLabelMenu } from "./label-menu.js";
import { customerName } from "./names.js";
import { may } from "./permissions.js";
import { priorities, priorityMark } from "./priority.js";
import { openSnoozeMenu } from "./snooze-menu.js";
import { MOST_IN_TRANSCRIPT, transcriptItems } from "./transcript-items.js";

await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

const styles = sheet(`
bulk-bar { display: block; flex: none; }
bulk-bar[hidden] { display: none; }
.bulk { display: grid; gap: 8px; padding: 10px 12px; border-top: 1px solid var(--fd-line); background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-2); }
.bulk-head { display: flex; align-items: center; gap: 6px; font-size: var(--fd-text-sm); }
.bulk-head p { flex: 1; min-width: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.bulk-head .fd-button { min-height: 32px; padding: 0 8px; font-size: var(--fd-text-sm); font-weight: 400; }
.bulk-actions { display: flex; gap: 4px; }
.bulk-actions .fd-button { flex: 1; min-width: 0; padding: 0; }
.bulk progress { width: 100%; height: 6px; accent-color: var(--fd-accent); }
.bulk-limit { font-size: var(--fd-text-sm); color: var(--fd-ink-2); }
.bulk-failed { max-height: 120px; overflow-y: auto; font-size: var(--fd-text-xs); color: var(--fd-danger); }
.bulk-failed li { padding: 2px 0; overflow-wrap: anywhere; }
@media (max-width: 720px) { .bulk-actions .fd-button, .bulk-head .fd-button { min-height: 44px; min-width: 44px; } }
`);

/** So many refusals are listed; a sentence counts the others. */
const MOST_LISTED = 20;

/**
 * What is done to the selected conversations at once, its progress, and what was refused.
 *
 * Values down: `state`, `selection`, `rows` (gives the rows of the list).
 */
class BulkBar extends HTMLElement {
  state = null;
  selection = null;
  rows = () => [];
  /** How many of how many are finished; null while nothing is under way. */
  #progress = null;
  #failed = [];

  connectedCallback() {
    adopt(styles);
    this.status = h("p", { role: "status" });
    this.bar = h("progress", { hidden: true, "aria-label": t("bulk.progress") });
    this.refusals = h("div", { role: "alert" });
    this.limit = h("p", { class: "bulk-limit", role: "status" });
    this.buttons = Object.fromEntries([
      ["assign", "person", "bulk.assign"], ["labels", "tag", "console.labels.change"], ["priority", "flag", "customer.priority"],
      ["snooze", "clock", "console.snooze"], ["transcript", "file", "bulk.transcript"], ["close", "check", "console.close"],
    ].map(([name, drawing, text]) => [name, h("button", {
      type: "button", class: "fd-button", title: t(text), "aria-label": t(text), "aria-haspopup": name === "close" ? null : "menu", onClick: () => this.run(name),
    }, icon(drawing, 17))]));
    this.all = h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.selection.set(this.rows().map((row) => row.id)) });
    replace(this, h("section", { class: "bulk", "aria-label": t("bulk.title") },
      h("div", { class: "bulk-head" }, this.status, this.all,
        h("button", { type: "button", class: "fd-button is-plain", title: t("bulk.clear"), "aria-label": t("bulk.clear"), onClick: () => this.#end() }, icon("close", 16))),
      this.limit, h("div", { class: "bulk-actions" }, Object.values(this.buttons)), this.bar, this.refusals));
    this.update();
  }

  /** Whether something is selected, under way, or refused. */
  get isWanted() {
    return this.selection.size > 0 || this.#progress !== null || this.#failed.length > 0;
  }

  update() {
    if (!this.status) return;
    this.hidden = !this.isWanted;
    const count = this.rows().length;
    const said = this.#progress ? t(this.#progress.seconds ? "bulk.waiting" : "bulk.working", this.#progress) : t("bulk.count", { count: this.selection.size });
    if (this.status.textContent !== said) this.status.textContent = said;
    this.all.textContent = t("bulk.all", { count });
    this.all.hidden = this.#progress !== null || this.selection.size >= count;
    const limit = this.#limitWords();
    this.limit.hidden = !limit;
    if (this.limit.textContent !== limit) this.limit.textContent = limit;
    for (const [name, button] of Object.entries(this.buttons)) {
      button.hidden = name !== "transcript" && !this.#mayChange;
      button.disabled = !this.#progress && (!this.selection.size || (Boolean(limit) && name !== "transcript"));
      // While they are busy they keep the focus of who works by keyboard.
      button.setAttribute("aria-disabled", String(this.#progress !== null));
    }
    this.bar.hidden = !this.#progress;
    if (this.#progress) [this.bar.max, this.bar.value] = [this.#progress.total, this.#progress.count];
  }

  /** Runs an action as its button does. @param {string} name */
  run(name) {
    const button = this.buttons[name];
    if (button.disabled || button.hidden || this.#progress) return;
    const actions = {
      assign: () => this.#assign(button), labels: () => this.#label(button), priority: () => this.#prioritize(button),
      snooze: () => openSnoozeMenu(button, { want: (change) => this.#change(change) }),
      transcript: () => this.#openTranscripts(button),
      close: () => this.#change({ state: "closed" }),
    };
    actions[name]();
  }

  /** Why the role does not let what is selected be changed; empty where it does. */
  #limitWords() {
    if (!this.#mayChange) return t("console.mayNotChange");
    if (this.selection.size <= MOST_AT_ONCE || this.#mayIn("conversations.bulk")) return "";
    return t("bulk.tooMany", { most: MOST_AT_ONCE, count: this.selection.size });
  }

  /** Whether the role lets all that is selected be changed; transcripts can be read in any case. */
  get #mayChange() {
    return this.#mayIn("conversations.handle");
  }

  #mayIn(permission) {
    const { businesses } = this.state.session;
    return this.#chosen.every(({ business }) => may(businesses.find((one) => one.id === business), permission));
  }

  get #chosen() {
    return this.selection.ids.map((id) => this.state.store.get(id)).filter(Boolean);
  }

  /** The one business of what is selected; members, teams and labels are those of a business. */
  #business() {
    const [one, ...others] = new Set(this.#chosen.map((conversation) => conversation.business));
    if (!others.length) return one;
    showToast(t("bulk.oneBusiness"));
    return null;
  }

  #assign(anchor) {
    const business = this.#business();
    if (!business) return;
    const same = (value) => (new Set(this.#chosen.map(value)).size === 1 ? value(this.#chosen[0]) : "");
    openAssignMenu(anchor, {
      state: this.state, business, assignee: same((one) => one.assignee?.id ?? null), team: same((one) => one.team ?? null),
      label: t("bulk.assign"), side: "above", choose: ({ change }) => this.#change(change),
    });
  }

  #label(anchor) {
    const business = this.#business();
    if (business) openLabelMenu(anchor, { state: this.state, business, conversations: () => this.#chosen, change: (labels) => this.#change({ labels }) });
  }

  #prioritize(anchor) {
    openMenu(anchor, priorities.map((one) => ({
      text: t(`customer.priority.${one}`), icon: priorityMark(one, { isSaid: true }) ?? h("span", { class: "priority-mark" }),
      run: () => this.#change({ priority: one }),
    })), { label: t("customer.priority"), side: "above" });
  }

  /** The transcript of all that is selected, in the order of the list. */
  #openTranscripts(anchor) {
    const ids = this.rows().map((row) => row.id).filter((id) => this.selection.has(id));
    if (ids.length > MOST_IN_TRANSCRIPT) showToast(t("bulk.transcriptMost", { most: MOST_IN_TRANSCRIPT, count: ids.length }));
    else openMenu(anchor, transcriptItems(ids), { label: t("bulk.transcript"), side: "above" });
  }

  /** Changes all that are selected, says how many were, and offers the way back. */
  async #change(change) {
    const outcome = await this.#send(this.#chosen.map((conversation) => ({ conversation, change })));
    const done = outcome.done.filter(({ undo }) => undo);
    if (done.length) showToast(t("bulk.done", { count: done.length }), { undo: () => this.#undo(done) });
    else if (!outcome.failed.length) showToast(t("bulk.same"));
  }

  async #undo(done) {
    // It demands that what was changed is still so: what a colleague has changed since is left, and listed.
    const tasks = done.map(({ conversation, undo }) => ({ conversation, change: undo }));
    const { done: back, failed } = await this.#send(tasks, ({ change, problem }) => !isBackAlready(problem, change));
    if (back.length) showToast(t("bulk.undone", { count: back.length }));
    else if (!failed.length) showToast(t("bulk.same"));
  }

  /** @param {(failed: any) => boolean} [isListed] which of those that were not changed are listed */
  async #send(tasks, isListed = () => true) {
    this.#failed = [];
    this.#drawFailed();
    this.#progress = { count: 0, total: tasks.length };
    this.update();
    const show = (progress) => {
      this.#progress = { ...this.#progress, seconds: 0, ...progress };
      this.update();
    };
    const outcome = await changeMany(tasks, sendPiece, {
      progress: (count) => show({ count }), waiting: (seconds) => show({ seconds }),
    });
    this.#progress = null;
    outcome.failed = outcome.failed.filter(isListed);
    this.#failed = outcome.failed;
    this.#drawFailed();
    // What was refused stays selected, so that it can be tried again.
    const refused = new Set(outcome.failed.map(({ conversation }) => conversation.id));
    if (refused.size) this.selection.set(this.selection.ids.filter((id) => refused.has(id)));
    this.update();
    return outcome;
  }

  #drawFailed() {
    const more = this.#failed.length - MOST_LISTED;
    replace(this.refusals, this.#failed.length ? [h("ul", { class: "bulk-failed" },
      h("li", null, t("bulk.failed", { count: this.#failed.length })),
      this.#failed.slice(0, MOST_LISTED).map(({ conversation, change, problem }) => h("li", null,
        `${customerName(conversation)}: ${refusalSentence(problem, { precondition_failed: t("bulk.changedSince"), ...takenWords(problem, change) })}`)),
      more > 0 ? h("li", null, t("bulk.moreFailed", { count: more })) : null)] : []);
  }

  #end() {
    this.#failed = [];
    this.#drawFailed();
    this.selection.clear();
    this.update();
  }
}

/** Sends one change for each conversation, and gives what became of each. @param {import("./bulk-change.js").Task[]} tasks */
async function sendPiece(tasks) {
  const { data } = await api.post("/api/conversations/bulk", {
    changes: tasks.map(({ conversation, change }) => ({ conversation: conversation.id, change })),
  });
  return data.map((one) => (one.problem ? { ...one, problem: new ApiProblem(one.status, one.problem) } : one));
}

customElements.define("bulk-bar", BulkBar);
