/** The CommonJS module of `libsodium-wrappers-sumo`, which is the object itself. */
import original from 'libsodium-wrappers-sumo-0';
import { passwordHashes } from '../../../libsodium/src/pwhash.ts';
import { sodiumOf } from '../../../libsodium/src/sodium.ts';

export default sodiumOf(original, [passwordHashes]);
