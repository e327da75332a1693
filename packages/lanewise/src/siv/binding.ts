/** ChaCha20-Poly1305-SIV is made of functions that the kernels of ChaCha have: it has none of its own. */
import { chachaInstance } from '../chacha/binding.ts';

export const sivInstance: typeof chachaInstance = chachaInstance;
