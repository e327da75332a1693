/** `node:path` for paths that only name something. */
export const join = (...parts: readonly string[]): string => parts.join('/');
export const dirname = (path: string): string => path.slice(0, path.lastIndexOf('/'));
