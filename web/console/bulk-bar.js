import { h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { openMenu } from "../lib/popup.js";
import { replaceKeepingFocus } from "../lib/reconcile.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { assignChoices } from "./assign-choices.js";
import { changeMany } from "./bulk-change.js";
import { backOf } from "./changes.js";
import { openLabelMenu } from "./label-menu.js";
import { customerName } from "./names.js";
import { priorities, priorityMark } from "./priority.js";
import { openSnoozeMenu } from "./snooze-menu.js";

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
    if (!document.adoptedStyleSheets.includes(styles)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
    this.status = h("p", { role: "status" });
    this.bar = h("progress", { hidden: true, "aria-label": t("bulk.progress") });
    this.refusals = h("div", { role: "alert" });
    this.buttons = Object.fromEntries([
      ["assign", "person", "bulk.assign"], ["labels", "tag", "console.labels.change"], ["priority", "flag", "customer.priority"],
      ["snooze", "clock", "console.snooze"], ["close", "check", "console.close"],
    ].map(([name, drawing, text]) => [name, h("button", {
      type: "button", class: "fd-button", title: t(text), "aria-label": t(text), "aria-haspopup": name === "close" ? null : "menu", onClick: () => this.run(name),
    }, icon(drawing, 17))]));
    this.all = h("button", { type: "button", class: "fd-button is-plain", onClick: () => this.selection.set(this.rows().map((row) => row.id)) });
    replace(this, h("section", { class: "bulk", "aria-label": t("bulk.title") },
      h("div", { class: "bulk-head" }, this.status, this.all,
        h("button", { type: "button", class: "fd-button is-plain", title: t("bulk.clear"), "aria-label": t("bulk.clear"), onClick: () => this.#end() }, icon("close", 16))),
      h("div", { class: "bulk-actions" }, Object.values(this.buttons)), this.bar, this.refusals));
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
    const said = this.#progress ? t("bulk.working", this.#progress) : t("bulk.count", { count: this.selection.size });
    if (this.status.textContent !== said) this.status.textContent = said;
    this.all.textContent = t("bulk.all", { count });
    this.all.hidden = this.#progress !== null || this.selection.size >= count;
    for (const button of Object.values(this.buttons)) button.disabled = this.#progress !== null || !this.selection.size;
    this.bar.hidden = !this.#progress;
    if (this.#progress) [this.bar.max, this.bar.value] = [this.#progress.total, this.#progress.count];
  }

  /** Runs an action as its button does. @param {string} name */
  run(name) {
    const button = this.buttons[name];
    if (button.disabled) return;
    const actions = {
      assign: () => this.#assign(button), labels: () => this.#label(button), priority: () => this.#prioritize(button),
      snooze: () => openSnoozeMenu(button, { want: (change) => this.#change(change) }),
      close: () => this.#change({ state: "closed" }),
    };
    actions[name]();
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

  async #assign(anchor) {
    const business = this.#business();
    if (!business) return;
    const { lists, session } = this.state;
    const [members, teams] = await Promise.all([lists.read(business, "members"), lists.read(business, "teams")]);
    const same = (value) => (new Set(this.#chosen.map(value)).size === 1 ? value(this.#chosen[0]) : "");
    openMenu(anchor, assignChoices({
      members, teams, ownID: session.agent.id, assignee: same((one) => one.assignee?.id ?? null), team: same((one) => one.team ?? null),
    }).map((one) => (one.change ? { ...one, run: () => this.#change(one.change) } : one)), { label: t("bulk.assign"), side: "above" });
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

  /** Changes all that are selected, says how many were, and offers the way back. */
  async #change(change) {
    const outcome = await this.#send(this.#chosen.map((conversation) => ({ conversation, change })));
    const { done } = outcome;
    if (!done.length) return;
    showToast(t("bulk.done", { count: done.length }), { undo: () => this.#undo(done) });
  }

  async #undo(done) {
    const own = this.state.session.agent.id;
    const tasks = done.map(({ conversation, change }) => ({ conversation, change: backOf(conversation, change, own) })).filter((task) => task.change);
    const { done: back } = await this.#send(tasks);
    if (back.length) showToast(t("bulk.undone", { count: back.length }));
  }

  async #send(tasks) {
    this.#failed = [];
    this.#drawFailed();
    this.#progress = { count: 0, total: tasks.length };
    this.update();
    const outcome = await changeMany(tasks, ({ conversation, change }) => this.state.change(change, conversation.id), {
      progress: (count) => {
        this.#progress = { count, total: tasks.length };
        this.update();
      },
    });
    this.#progress = null;
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
    replaceKeepingFocus(this.refusals, this.#failed.length ? [h("ul", { class: "bulk-failed" },
      h("li", null, t("bulk.failed", { count: this.#failed.length })),
      this.#failed.slice(0, MOST_LISTED).map(({ conversation, problem }) => h("li", null, `${customerName(conversation)}: ${refusalSentence(problem)}`)),
      more > 0 ? h("li", null, t("bulk.moreFailed", { count: more })) : null)] : []);
  }

  #end() {
    this.#failed = [];
    this.#drawFailed();
    this.selection.clear();
    this.update();
  }
}

customElements.define("bulk-bar", BulkBar);
