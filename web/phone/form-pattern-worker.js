import { isWholeMatch } from "./whole-match.js";

addEventListener("message", ({ data }) => postMessage(isWholeMatch(data.pattern, data.text)));
