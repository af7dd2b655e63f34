/** The distance of two places in an order. */
export const STEP = 10;

/**
 * Moves one of a list by one place. Places are given anew, for several may have the same.
 * @template {{order: number}} Item
 * @param {Item[]} all
 * @param {number} index
 * @param {1|-1} step
 * @returns {{one: Item, order: number}[]} those whose place is another then
 */
export function moved(all, index, step) {
  const order = [...all];
  [order[index], order[index + step]] = [order[index + step], order[index]];
  return order.map((one, place) => ({ one, order: (place + 1) * STEP })).filter(({ one, order: place }) => one.order !== place);
}
