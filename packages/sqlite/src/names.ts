/** Names of files, as a VFS gets them. */
import { OPEN_URI } from './codes.ts';

/** The path in a name: `FacadeVFS` puts the parameters of a URI after it. */
export const pathIn = (name: string, flags: number): string => (flags & OPEN_URI ? name.split('?', 1)[0] : name);
