/** Names of files, as a VFS gets them. */
import { OPEN_URI } from './codes.ts';

/** The path in a name: after `?` come parameters of a URI if the flags say so, and otherwise the rest of the path. */
export const pathIn = (name: string, flags: number): string => (flags & OPEN_URI ? name.split('?', 1)[0] : name);
