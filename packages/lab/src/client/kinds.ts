/** The kinds of tasks that a contest is part of. */
import type { Kind } from './messages.ts';

export const ALWAYS: readonly Kind[] = ['quick', 'default', 'full'];
/** Every kind but the quickest. */
export const THOROUGH: readonly Kind[] = ['default', 'full'];
export const FULL: readonly Kind[] = ['full'];
/** Only where it is asked for by a name that begins with `studies/`. */
export const STUDY: readonly Kind[] = [];
