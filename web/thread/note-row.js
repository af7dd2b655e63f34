import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { openMenu } from "../lib/popup.js";
import { formatClock } from "../lib/time.js";
import { markMentions } from "./mentions.js";

/**
 * A note in the thread, with those whom it mentions; of a deleted one only that there was one.
 * @param {any} note
 * @param {{ownID: string, mayNote?: boolean, edit: (note: any) => void, remove: (note: any) => void, teamNamed?: (id: string) => {id: string, name: string}|null}} reader
 */
export function noteRow(note, { ownID, mayNote = true, edit, remove, teamNamed }) {
  const name = note.author?.type === "rule" ? t("thread.author.rule", note.author) : note.author?.name ?? "";
  const time = h("time", { datetime: note.time }, formatClock(new Date(note.time)));
  if (note.deletedAt) {
    return h("li", { class: "event" }, t("thread.note.deleted", { name }), " · ", time);
  }
  const teams = (note.teams ?? []).map((id) => teamNamed?.(id)).filter(Boolean);
  const isOwn = note.author?.id === ownID;
  const isForReader = note.mentions?.some((one) => one.id === ownID);
  return h("li", { class: isForReader ? "note is-for-reader" : "note", dataset: { note: note.id } },
    h("div", { class: "note-head" },
      h("p", { class: "meta" }, t("thread.note", { name }), " · ", time,
        note.editedAt ? h("span", { title: formatClock(new Date(note.editedAt)) }, ` · ${t("thread.note.edited")}`) : null),
      isOwn && mayNote ? menuButton(note, edit, remove) : null),
    h("p", { class: "text", dir: "auto" }, markMentions(note.text, [...note.mentions ?? [], ...teams]).map(({ text, mention }) =>
      mention ? h("span", { class: mention.id === ownID ? "mention is-reader" : "mention" }, text) : text)));
}

function menuButton(note, edit, remove) {
  const button = h("button", {
    type: "button", class: "note-menu", "aria-haspopup": "menu", "aria-expanded": "false", title: t("thread.note.menu"),
    "aria-label": t("thread.note.menu"), onClick: () => openMenu(button, [
      { text: t("thread.note.edit"), run: () => edit(note) }, { text: t("thread.note.delete"), note: t("thread.note.deleteLead"), run: () => remove(note) },
    ], { label: t("thread.note.menu") }),
  }, icon("menu", 16));
  return button;
}
