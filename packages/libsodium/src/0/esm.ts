/** The ES module of `libsodium-wrappers`: the object, and the names that the original exports beside it. */
import original from 'libsodium-wrappers-0';
import { sodiumOf } from '../sodium.ts';

const sodium = sodiumOf(original);
export default sodium;
export const { ready } = sodium;
// A name that this module exports itself is not taken from there.
export * from 'libsodium-wrappers-0';
