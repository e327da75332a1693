/** Which files a command loads: a program that is loaded before it writes down each. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folder } from './programs.ts';

/** The published command; `npm test` has built it. */
export const built = join(dirname(import.meta.dirname), 'dist', 'main.js');

const LOADER = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env.LANEWISE_LOADED, url + '\\n');
    return next(url, context);
  },
});`;

const list = join(folder, 'loaded');

/** The environment of a command whose files are written down. */
export const noted = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(LOADER)}`,
  LANEWISE_LOADED: list,
};

/** The files that were loaded since the last time: those of this repository, and those of other packages. */
export function loaded(): { readonly own: readonly string[]; readonly others: readonly string[] } {
  const files = existsSync(list) ? [...new Set(readFileSync(list, 'utf8').trim().split('\n'))] : [];
  rmSync(list, { force: true });
  const isOther = (file: string): boolean => file.includes('/node_modules/');
  return { own: files.filter((file) => !isOther(file)), others: files.filter(isOther) };
}
