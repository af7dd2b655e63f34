import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { segments } from "../lib/segments.js";
import { SteadyList } from "../lib/steady-list.js";
import { showToast } from "../lib/toast.js";
import { keptBusiness } from "./kept-business.js";
import { loadAlert } from "./load-alert.js";
import { actionControl, offeredActions } from "./part-controls.js";
import { readKnown } from "./part-lists.js";
import { PartRows } from "./part-rows.js";
import { card, field, savingForm, sentence } from "./panel-parts.js";
import { may } from "./permissions.js";
import { actionsOfParts, namesGone, partsOfActions, rowOfPointer } from "./rule-parts.js";
import { businessField, useSettingsStyles } from "./settings-parts.js";
import { findAutomatic, findParameters } from "./template-parameters.js";
import { ValueRows } from "./value-rows.js";

await registerStrings({ en: () => import("../i18n/en/rules.js"), ja: () => import("../i18n/ja/rules.js") });
const { actionsSentence } = await import("./rule-words.js");

const MOST_ROWS = 20;

/** Macros that were being written when their page was left: by agent and business. @type {Map<string, {macro: any, draft: any}>} */
const halfWritten = new Map();

const styles = sheet(`
.macro-words { flex: 1 1 260px; min-width: 0; overflow-wrap: anywhere; }
.macro-words p { margin: 2px 0 0; }
`);

/** Macros: those that a business shares, which owners make, and the agent's own. Values down: `session`. */
class MacrosPanel extends HTMLElement {
  session = null;
  #business = null;
  #macros = [];
  #known = null;
  /** The open form of one macro. @type {HTMLElement|null} */
  #editor = null;
  /** Keeps what is written in it where its page is left. @type {(() => void)|null} */
  #leave = null;
  #steady;

  connectedCallback() {
    useSettingsStyles();
    adopt(styles);
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => !one.isSandbox) ?? businesses[0];
    this.#load();
  }

  disconnectedCallback() {
    this.#leave?.();
  }

  get #draftKey() {
    return `${this.session.agent.id} ${this.#business.id}`;
  }

  get #path() {
    return `/api/businesses/${this.#business.id}/macros`;
  }

  async #load() {
    const business = this.#business;
    let refusal = null;
    try {
      const [page, known] = await Promise.all([api.get(this.#path), readKnown(business.id)]);
      if (business !== this.#business) return;
      [this.#macros, this.#known] = [page.data, known];
    } catch (problem) {
      if (business !== this.#business) return;
      refusal = problem;
    }
    this.alert = loadAlert(refusal, () => this.#load());
    this.list = h("div", { class: "panel" });
    this.#steady = new SteadyList(this.list);
    replace(this, h("section", { class: "panel" }, h("h1", null, t("macros.title")),
      businessField("macros-business", this.session.businesses, business, (chosen) => {
        this.#leave?.();
        this.#leave = null;
        this.#business = chosen;
        this.#load();
      }), h("p", { class: "fd-help" }, t("macros.lead")), this.alert, refusal ? null : this.list));
    if (refusal) return;
    this.#draw();
    const begun = halfWritten.get(this.#draftKey);
    if (begun) this.#edit(begun.macro, begun.draft);
  }

  #draw() {
    // What is being edited stays as it is typed.
    if (!this.#editor?.isConnected) this.#steady.draw(() => this.#lists());
  }

  #lists() {
    const used = this.#macros.filter((one) => !one.retired);
    const retired = this.#macros.filter((one) => one.retired);
    const part = (title, list, none) => card(title, list.length ? h("ul", { class: "item-list" }, list.map((one) => this.#row(one))) : h("p", { class: "fd-help" }, none));
    return [
      part(t("macros.own"), used.filter((one) => !one.shared), t("macros.noneOwn")), part(t("macros.shared"), used.filter((one) => one.shared), t("macros.noneShared")),
      retired.length ? part(t("macros.retired"), retired, "") : null,
      may(this.#business, "macros.write") ? h("div", { class: "form-actions is-start" },
        h("button", { type: "button", class: "fd-button is-primary", onClick: () => this.#edit(null) }, t("macros.new"))) : null,
    ];
  }

  #row(macro) {
    const mayChange = may(this.#business, macro.shared ? "macros.manage" : "macros.write");
    const button = (words, label, run) => h("button", { type: "button", class: "fd-button is-plain", "aria-label": t(label, macro), onClick: run }, t(words));
    return h("li", { dataset: { macro: macro.id } },
      h("div", { class: "macro-words" }, h("strong", null, macro.name), h("p", { class: "fd-help" }, actionsSentence(macro.actions, this.#known)),
        !macro.retired && namesGone(macro.actions, this.#known) ? h("p", { class: "fd-error" }, t("macros.warning")) : null),
      mayChange ? [button("macros.change", "macros.changeOf", () => this.#edit(macro)),
        macro.retired ? button("macros.restore", "macros.restoreOf", () => this.#save(macro, { retired: false }))
          : button("macros.retire", "macros.retireOf", () => this.#save(macro, { retired: true }))] : null);
  }

  async #save(macro, change) {
    this.alert.textContent = "";
    const business = this.#business;
    try {
      const saved = await api.patch(`${this.#path}/${macro.id}`, change);
      if (business !== this.#business) return;
      this.#put(saved);
      this.#draw();
      // It is in another list now: the focus goes with it.
      this.querySelector(`[data-macro="${macro.id}"] button:last-of-type`)?.focus();
    } catch (problem) {
      if (business !== this.#business) return showToast(`${macro.name}: ${sentence(problem)}`);
      this.alert.textContent = sentence(problem);
    }
  }

  #put(macro) {
    this.#macros = [...this.#macros.filter((one) => one.id !== macro.id), macro].sort((one, other) => one.name.localeCompare(other.name));
  }

  /** @param {any} macro null for a new one @param {any} [draft] what was written of it before */
  #edit(macro, draft = null) {
    const [business, path, key] = [this.#business, this.#path, this.#draftKey];
    halfWritten.delete(key);
    const shown = draft ?? macro;
    const name = h("input", { class: "fd-input", required: true, maxlength: 60, value: shown?.name ?? "", autocomplete: "off" });
    const values = new ValueRows(() => {}, t("macros.valuesNone"));
    for (const one of shown?.parameters ?? []) values.set(one);
    const actions = new PartRows({
      name: "rules.action", most: MOST_ROWS, none: t("rules.noActions"), kinds: offeredActions, changed: () => drawValues(),
      control: actionControl(this.#known, { hasCaller: true, changed: () => drawValues(), ask: (value) => values.known.has(value.name) || values.set(value) }),
    });
    const drawValues = () => {
      const text = JSON.stringify(actionsOfParts(actions.read()));
      values.draw(findParameters(text), findAutomatic(text));
    };
    actions.draw(partsOfActions(shown?.actions ?? [{ assign: "me" }]));
    let isShared = draft?.isShared ?? false;
    const written = () => ({ name: name.value, actions: actionsOfParts(actions.read()), parameters: [...values.known.values()], isShared });
    const form = savingForm({ save: t("shared.save"), keepsWritten: true, onSave: async () => {
      actions.clearMarks();
      const list = actionsOfParts(actions.read());
      const text = JSON.stringify(list);
      const body = { name: name.value.trim(), actions: list, parameters: values.list([...findParameters(text), ...findAutomatic(text)]) };
      try {
        const saved = macro ? await api.patch(`${path}/${macro.id}`, body) : await api.post(path, { ...body, shared: isShared });
        showToast(t("macros.saved", saved));
        halfWritten.delete(key);
        if (this.#leave === leave) this.#leave = null;
        if (business !== this.#business) return;
        this.#put(saved);
        // The page may have been left for another business and back, and shows another form.
        if (!form.isConnected) return this.#draw();
        this.#steady.drawNow(() => this.#lists());
        this.querySelector(`[data-macro="${saved.id}"] button`)?.focus();
      } catch (problem) {
        const isMarked = (problem.errors ?? []).filter(({ pointer }) => actions.mark(rowOfPointer(list, pointer), t("rules.fault.row"))).length > 0;
        throw isMarked ? Object.assign(problem, { errors: [{ fix: t("rules.fault.rows") }] }) : problem;
      }
    } },
    field("macro-name", t("macros.name"), name),
    macro || !may(this.#business, "macros.manage") ? null : h("div", { class: "fd-field" }, h("span", { class: "fd-label" }, t("macros.whose")),
      segments(t("macros.whose"), [["own", t("macros.forMe")], ["shared", t("macros.forAll")]], isShared ? "shared" : "own", (chosen) => { isShared = chosen === "shared"; })),
    h("fieldset", { class: "marks" }, h("legend", null, t("rules.then")), actions.element, h("p", { class: "fd-help" }, t("macros.gaps"))),
    h("fieldset", { class: "marks" }, h("legend", null, t("macros.values")), values.element));
    form.querySelector(":scope > .form-actions").prepend(h("button", { type: "button", class: "fd-button is-plain", onClick: () => {
      this.#leave = null;
      this.#steady.drawNow(() => this.#lists());
      this.list.querySelector(macro ? `[data-macro="${macro.id}"] button` : ".is-primary")?.focus();
    } }, t("shared.cancel")));
    drawValues();
    this.#editor = card(t(macro ? "macros.edit" : "macros.new"), draft ? h("p", { class: "fd-help" }, t("macros.begun")) : null, form);
    this.#steady.drawNow(() => [this.#editor]);
    const before = draft ? "" : JSON.stringify(written());
    const leave = () => {
      const left = written();
      if (JSON.stringify(left) !== before) halfWritten.set(key, { macro, draft: left });
    };
    this.#leave = leave;
    if (!draft) name.focus();
  }
}

customElements.define("macros-panel", MacrosPanel);
