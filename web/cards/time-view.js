import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { serverNow } from "../lib/server-clock.js";
import { dayKey, formatClock, formatDay, formatDuration, formatZone, ownZone } from "../lib/time.js";
import { placeMap } from "./place-map.js";

/**
 * The slots of a time picker, a day at a time, in the event's own zone when it names one. A device
 * omits past slots; `now` decides.
 * @param {ReturnType<import("./kinds/time.js").readEvent>} model
 * @param {{chosen?: Set<string>, choose?: ((identifier: string) => void)|null, now?: Date,
 *   name?: string}} [options]
 */
export function timeView(
  model, { chosen = new Set(), choose = null, now = serverNow(), name = "slot" } = {},
) {
  const isPast = (slot) => slot.start !== null && slot.start.getTime() <= now.getTime();
  const slots = choose ? model.slots.filter((slot) => slot.start && !isPast(slot)) : model.slots;
  const days = new Map();
  for (const slot of slots) {
    const key = slot.start ? dayKey(slot.start, model.offset) : "";
    days.set(key, [...(days.get(key) ?? []), slot]);
  }
  const lengths = new Set(slots.map((slot) => slot.seconds).filter((seconds) => seconds > 0));
  const isOneLength = lengths.size === 1;
  return h("div", { class: "fd-event" },
    model.place && placeMap(model.place),
    h("div", { class: "fd-event-facts" },
      isOneLength && h("span", null, icon("clock", 15), formatDuration([...lengths][0])),
      model.offset !== null && h("span", null, icon("globe", 15),
        zoneWords(model, slots))),
    slots.length === 0 && h("p", { class: "fd-quiet" }, t("card.noSlots")),
    [...days].map(([key, ofDay]) => h(choose ? "fieldset" : "section", { class: "fd-day" },
      h(choose ? "legend" : "h4", { class: "fd-section-title" },
        ofDay[0].start ? formatDay(ofDay[0].start, model.offset) : key),
      h("div", { class: "fd-slots" }, ofDay.map((slot) => {
        const label = [
          h("span", null, slot.start ? formatClock(slot.start, model.offset) : slot.text || "–"),
          !isOneLength && slot.seconds > 0 && h("small", null, formatDuration(slot.seconds)),
        ];
        const isChosen = chosen.has(slot.identifier);
        if (!choose) {
          const standing = isChosen ? " is-chosen" : isPast(slot) ? " is-past" : "";
          return h("span", { class: `fd-slot${standing}` }, isChosen && icon("check", 14), label,
          isChosen && h("span", { class: "fd-hidden-text" }, t("card.selected")));
        }
        return h("label", { class: "fd-slot" },
          h("input", {
            type: "radio", name, value: slot.identifier, ".checked": isChosen,
            onChange: () => choose(slot.identifier),
          }), label);
      })))));
}

/** Whose clock the times are of: the place's, the reader's own by its name, else the distance from GMT alone. */
function zoneWords({ offset, place }, slots) {
  const zone = formatZone(offset);
  if (place?.title) return t("card.zoneAt", { place: place.title, zone });
  const first = slots.find(({ start }) => start)?.start;
  const isOwn = first && -first.getTimezoneOffset() === offset;
  return t("card.zone", { zone: isOwn ? ownZone(first) : zone });
}
