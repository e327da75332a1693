/** Where the original takes less time than our kernels. */
import { describe } from 'lanewise/engine.js';

let isPlain: boolean | undefined;
/** Our plain JavaScript takes more time than the original. */
export const isSlow = (): boolean => (isPlain ??= describe().engine === 'js');
