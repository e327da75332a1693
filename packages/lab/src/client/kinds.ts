/** The kinds of tasks that a contest is part of. */
import type { Kind } from './messages.ts';

export const ALWAYS: readonly Kind[] = ['quick', 'default', 'full'];
/** Every kind but the quickest. */
export const THOROUGH: readonly Kind[] = ['default', 'full'];
export const FULL: readonly Kind[] = ['full'];
