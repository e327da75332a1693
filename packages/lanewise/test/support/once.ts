/** Uses an object that has a key for one call, and wipes its copy: the result has its own. */
export function once<Keyed extends { destroy(): void }, Result>(keyed: Keyed, use: (its: Keyed) => Result): Result {
  try {
    return use(keyed);
  } finally {
    keyed.destroy();
  }
}
