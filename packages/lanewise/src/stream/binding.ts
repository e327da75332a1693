/** secretstream's messages go through the kernels of ChaCha: it has none of its own. */
import { chachaInstance } from '../chacha/binding.ts';

export const messageInstance: typeof chachaInstance = chachaInstance;
