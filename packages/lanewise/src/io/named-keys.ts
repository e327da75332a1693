/** Keys that bytes in front of a stream name, as a keyring has them. */

/**
 * Writes the key of the stream that begins with these bytes into an array, which is wiped first.
 *
 * @throws Error if they name none.
 */
export type NamedKey = (prefix: Uint8Array, to: Uint8Array) => void;

/** Found by an array of the primary key and, after it, the bytes that name it. */
export const namedKeys = /* @__PURE__ */ new WeakMap<object, NamedKey>();
