/** Whether two addresses lead to the same scheme, host and port; false where one is no address. @param {string} one @param {string} other */
export function haveSameOrigin(one, other) {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
