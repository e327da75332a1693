/** The ES module of `libsodium-wrappers-sumo`: the object, and the names that the original exports beside it. */
import original from 'libsodium-wrappers-sumo-0';
import { passwordHashes } from '../../../libsodium/src/pwhash.ts';
import { sodiumOf } from '../../../libsodium/src/sodium.ts';

const sodium = sodiumOf(original, [passwordHashes]);
export default sodium;
export const { ready } = sodium;
// A name that this module exports itself is not taken from there.
export * from 'libsodium-wrappers-sumo-0';
