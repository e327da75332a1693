/** The CommonJS module of `libsodium-wrappers`, which is the object itself. */
import original from 'libsodium-wrappers-0';
import { sodiumOf } from '../sodium.ts';

export default sodiumOf(original);
