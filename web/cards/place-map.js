import { h, svg } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

const WIDTH = 320;
const HEIGHT = 116;

/**
 * A place with a drawing in the style of a map. The streets are generated from the coordinates, the
 * same ones every time: no map service is called, so none learns where a customer goes.
 * @param {{title: string, latitude: number|null, longitude: number|null, radius: number}} place
 */
export function placeMap(place) {
  const hasPoint = place.latitude !== null && place.longitude !== null;
  return h("figure", { class: "fd-place" },
    hasPoint && drawing(place),
    h("figcaption", null,
      icon("pin", 18),
      h("span", null,
        h("strong", null, place.title || t("card.location")),
        hasPoint && h("small", null,
          `${place.latitude.toFixed(4)}, ${place.longitude.toFixed(4)}`,
          place.radius > 0 && ` · ${t("card.radius", { metres: place.radius })}`))));
}

function drawing(place) {
  const chance = seeded(place.latitude * 7919 + place.longitude * 104_729);
  const streets = [];
  for (let index = 0; index < 5; index += 1) {
    const y = (index + 0.3 + chance() * 0.6) * (HEIGHT / 5);
    streets.push(`M-10 ${y} L${WIDTH + 10} ${y + (chance() - 0.5) * 34}`);
  }
  for (let index = 0; index < 8; index += 1) {
    const x = (index + 0.2 + chance() * 0.6) * (WIDTH / 8);
    streets.push(`M${x} -10 L${x + (chance() - 0.5) * 46} ${HEIGHT + 10}`);
  }
  const bend = 20 + chance() * 70;
  const park = {
    x: chance() * 220, y: chance() * 60, w: 44 + chance() * 46, h: 26 + chance() * 22,
  };
  const ring = Math.min(46, Math.max(18, Math.log10(Math.max(10, place.radius)) * 15));
  return svg("svg", {
    class: "fd-map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMidYMid slice",
    "aria-hidden": "true",
  },
  svg("rect", { class: "land", width: WIDTH, height: HEIGHT }),
  svg("rect", { class: "park", x: park.x, y: park.y, width: park.w, height: park.h, rx: 5 }),
  svg("path", {
    class: "water",
    d: `M-10 ${HEIGHT - bend * 0.3} C 70 ${bend}, 190 ${HEIGHT + 20 - bend}, 330 ${bend * 0.5}`,
  }),
  svg("path", { class: "street", d: streets.join(" ") }),
  svg("path", { class: "avenue", d: `M-10 ${HEIGHT * 0.62} L${WIDTH + 10} ${HEIGHT * 0.44}` }),
  place.radius > 0 && svg("circle", { class: "ring", cx: WIDTH / 2, cy: HEIGHT / 2, r: ring }),
  svg("path", {
    class: "pin", transform: `translate(${WIDTH / 2} ${HEIGHT / 2})`,
    d: "M0 0c-2-7-10-10-10-18a10 10 0 1 1 20 0C10-10 2-7 0 0Z",
  }),
  svg("circle", { class: "eye", cx: WIDTH / 2, cy: HEIGHT / 2 - 18, r: 3.6 }));
}

/** Numbers between 0 and 1, always the same for a seed. */
function seeded(seed) {
  let state = Math.abs(Math.floor(seed * 1000)) % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
