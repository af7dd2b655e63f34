import { svg } from "./dom.js";

/** Line drawings on a 24 grid; each is one or more paths. */
const PATHS = {
  add: ["M12 5v14", "M5 12h14"],
  alert: ["M12 8v5", "M12 16.5v.01", "M10.3 4.3 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4.3a2 2 0 0 0-3.4 0Z"],
  app: ["M4 7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3Z", "M9 9h6v6H9Z"],
  attach: ["m20 11.5-8 8a5.2 5.2 0 0 1-7.4-7.4l8.3-8.3a3.5 3.5 0 0 1 5 5l-8.2 8.2a1.7 1.7 0 0 1-2.5-2.5l7.5-7.5"],
  back: ["m14.5 5-7 7 7 7"],
  bell: ["M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15Z", "M10 20.5a2.2 2.2 0 0 0 4 0"],
  bellOff: ["M6 16V11a6 6 0 0 1 9-5.2", "M18 11v5l1.5 2H8", "M10 20.5a2.2 2.2 0 0 0 4 0", "M4 4l16 16"],
  calendar: ["M4 7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2Z", "M4 10h16", "M8 3v4", "M16 3v4"],
  card: ["M3 7.5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2Z", "M3 10h18", "M7 15h3"],
  check: ["m5 12.5 4.5 4.5L19 7.5"],
  chevron: ["m9 5 7 7-7 7"],
  clock: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z", "M12 7.5V12l3 2"],
  close: ["m6 6 12 12", "M18 6 6 18"],
  down: ["m6 9.5 6 6 6-6"],
  download: ["M12 4v11", "m7 11 5 5 5-5", "M5 20h14"],
  file: ["M6 4a1 1 0 0 1 1-1h7l4 4v13a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1Z", "M14 3v4h4"],
  form: ["M5 5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2Z", "M9 8h6", "M9 12h6", "M9 16h3"],
  globe: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z", "M3.5 12h17", "M12 3.5c5 5 5 12 0 17", "M12 3.5c-5 5-5 12 0 17"],
  image: ["M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2Z", "m4 16 4.5-4.5 4 4 2.5-2.5 5 5", "M15 9v.01"],
  key: ["M15 4.5a4.5 4.5 0 1 0-3.3 7.7L4.5 19.5v1h3v-2h2v-2h2l1.7-3.7A4.5 4.5 0 0 0 15 4.5Z"],
  link: ["M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1", "M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"],
  list: ["M9 6.5h11", "M9 12h11", "M9 17.5h11", "M4.5 6.5v.01", "M4.5 12v.01", "M4.5 17.5v.01"],
  fullSize: ["M4 9V4h5", "M20 15v5h-5", "m4 4 7 7", "m20 20-7-7"],
  note: ["M5 5h14v9l-5 5H5Z", "M19 14h-5v5", "M8.5 9h7", "M8.5 12.5h3"],
  menu: ["M5 12v.01", "M12 12v.01", "M19 12v.01"],
  person: ["M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z", "M4.5 20.5a7.5 7.5 0 0 1 15 0"],
  sidebar: ["M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2Z", "M14.5 4v16"],
  phone: ["M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3Z", "M11 18h2"],
  pin: ["M12 21c4.5-4.5 6.5-7.7 6.5-11a6.5 6.5 0 1 0-13 0c0 3.3 2 6.5 6.5 11Z", "M12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z"],
  play: ["M8 5.5v13l10.5-6.5Z"],
  retry: ["M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9", "M20 4.5V9h-4.5"],
  send: ["M12 19V5.5", "m6 11 6-6 6 6"],
  sliders: ["M4 7.5h9", "M17 7.5h3", "M15 5.5v4", "M4 16.5h3", "M11 16.5h9", "M9 14.5v4"],
  trash: ["M5 7h14", "M9 7V4.5h6V7", "m7 7 .8 12.5h8.4L17 7"],
  video: ["M3.5 7.5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2Z", "m15.5 11 5-3v8l-5-3"],
  audio: ["M5 10v4", "M9 7v10", "M13 4.5v15", "M17 8v8", "M21 10.5v3"],
};

/**
 * A decorative drawing; put its meaning into text beside it.
 * @param {keyof typeof PATHS} name
 * @param {number} [size] in px
 */
export function icon(name, size = 20) {
  return svg("svg", {
    viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor",
    "stroke-width": name === "menu" ? 3 : 1.8, "stroke-linecap": "round",
    "stroke-linejoin": "round", "aria-hidden": "true", focusable: "false",
  }, PATHS[name].map((path) => svg("path", { d: path })));
}
