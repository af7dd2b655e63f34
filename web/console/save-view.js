import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { openMenu, openPopup } from "../lib/popup.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { filterOf, isSameList, savedOf, wholeList } from "./list-filter.js";
import { confirmAction, savingForm, sentence } from "./panel-parts.js";
import { may, mayAnywhere } from "./permissions.js";

await registerStrings({ en: () => import("../i18n/en/team.js"), ja: () => import("../i18n/ja/team.js") });

/** The longest name of a view, in characters. */
const MOST_CHARACTERS = 40;
const path = "/api/views/saved";

/**
 * @typedef {import("./desk-state.js").DeskState} DeskState
 * @typedef {import("./list-filter.js").ListFilter} ListFilter
 */

/** The business that a filter is about: its own, or that of what it names. @param {ListFilter} filter @param {DeskState} state */
function businessOf(filter, { lists, session }) {
  if (filter.business) return filter.business;
  if (session.businesses.length === 1) return session.businesses[0].id;
  const has = (name, test) => session.businesses.find((one) => lists[name](one.id).some(test))?.id;
  return (filter.labels.length && has("labels", (one) => filter.labels.includes(one.id)))
    || (filter.team && filter.team !== "none" && has("teams", (one) => one.id === filter.team))
    || (filter.attributes.length && has("attributes", (one) => one.key === filter.attributes[0][0]))
    || (filter.assignee.length > 4 && has("members", (one) => one.id === filter.assignee)) || null;
}

const bodyOf = ({ name, shared, business, order, filter }) => ({ name, shared, business, order, filter });

/**
 * Asks for a name and keeps what the list shows as a view.
 * @param {HTMLElement} anchor
 * @param {DeskState} state
 * @param {(filter: ListFilter) => void} open shows the view
 */
export function openSaveForm(anchor, state, open) {
  const { filter, session, views } = state;
  const business = businessOf(filter, state);
  openNameForm(anchor, {
    title: t("views.save"), name: "", shared: session.businesses.some((one) => one.id === business && may(one, "views.manage")) ? false : null,
    note: state.isSearched ? t("views.withoutSearch") : "",
    save: async ({ name, shared }) => {
      const order = Math.max(0, ...views.all.map((one) => one.order)) + 1;
      const view = await api.post(path, { name, shared, business, order, filter: savedOf(filter) });
      await views.read();
      open(filterOf(view));
      showToast(t("views.saved", view));
    },
  });
}

/** @param {HTMLElement} anchor @param {{title: string, name: string, shared: boolean|null, note?: string, save: (values: {name: string, shared: boolean}) => Promise<void>}} form */
function openNameForm(anchor, { title, name, shared, note = "", save }) {
  const input = h("input", { class: "fd-input", id: "view-name", required: true, maxlength: MOST_CHARACTERS, value: name });
  const all = h("input", { type: "checkbox", id: "view-shared", checked: Boolean(shared) });
  const popup = openPopup(anchor, savingForm({
    save: t("views.save.do"), onSave: async () => {
      await save({ name: input.value.trim(), shared: all.checked });
      popup.close();
    },
  }, h("div", { class: "fd-field" }, h("label", { for: "view-name" }, t("items.name")), input), note ? h("p", { class: "fd-help" }, note) : null,
  shared === null ? null : h("div", { class: "mark" }, all, h("label", { for: "view-shared" }, t("views.share")))), { label: title, className: "view-popup" });
  input.focus();
  input.select();
}

/**
 * The menu of a saved view.
 * @param {HTMLElement} anchor
 * @param {any} view
 * @param {DeskState} state
 * @param {(filter: ListFilter) => void} open
 */
export function openSavedMenu(anchor, view, state, open) {
  const { views, filter, session } = state;
  const business = session.businesses.find((one) => one.id === view.business);
  const mayShare = Boolean(business) && may(business, "views.manage");
  const change = async (part, done) => {
    try {
      const changed = await api.put(`${path}/${view.id}`, { ...bodyOf(view), ...part });
      await views.read();
      showToast(t(done, changed));
      return changed;
    } catch (problem) {
      showToast(sentence(problem));
      throw problem;
    }
  };
  const quietly = (part, done) => change(part, done).catch(() => {});  // Safe: the refusal was shown.
  /** Changes places with the neighbour; both get the places of a list that is counted anew. */
  const move = async (step) => {
    const at = views.all.findIndex((one) => one.id === view.id);
    const order = [...views.all];
    order.splice(at + step, 0, ...order.splice(at, 1));
    try {
      for (const [place, one] of order.entries()) {
        const isOwn = !one.shared || may(session.businesses.find((known) => known.id === one.business), "views.manage");
        if (one.order !== place && isOwn) await api.put(`${path}/${one.id}`, { ...bodyOf(one), order: place });
      }
    } catch (problem) {
      showToast(refusalSentence(problem));
    }
    await views.read();
  };
  const at = views.all.findIndex((one) => one.id === view.id);
  const mayChange = view.shared ? mayShare : mayAnywhere(session, "views.write");
  openMenu(anchor, [
    ...mayChange && !isSameList(filterOf(view), filter) ? [{
      text: t("views.update"), run: () => quietly({ filter: savedOf(filter), business: businessOf(filter, state) ?? view.business }, "views.saved"),
    }] : [],
    ...isSameList(filterOf(view), filter) ? [] : [{ text: t("views.restore"), run: () => open(filterOf(view)) }],
    ...mayChange ? [
      { text: t("views.rename"), run: () => openNameForm(anchor, {
        title: t("views.rename"), name: view.name, shared: null, save: async ({ name }) => { await change({ name }, "views.saved"); },
      }) },
      ...mayShare ? [{ text: t(view.shared ? "views.unshare" : "views.share"), run: () => quietly({ shared: !view.shared }, "views.saved") }] : [],
      ...at > 0 ? [{ text: t("views.up"), run: () => move(-1) }] : [],
      ...at < views.all.length - 1 ? [{ text: t("views.down"), run: () => move(1) }] : [],
      { text: t("views.remove"), run: async () => {
        if (!await confirmAction(t("views.removeSure", view), t("views.remove"))) return;
        try {
          await api.delete(`${path}/${view.id}`);
          await views.read();
          open({ ...wholeList, business: filter.business });
        } catch (problem) {
          showToast(refusalSentence(problem));
        }
      } },
    ] : [],
  ], { label: t("console.saved.menu", view) });
}
