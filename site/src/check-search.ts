/** Checks the search of the site that was built: searches for tasks lead to a guide. */
import MiniSearch from 'minisearch';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { searchOptions } from './search.ts';

/** The search text, and the beginning of the first address that is found. */
export const WANTED: readonly (readonly [string, RegExp])[] = [
  ['encrypt a file', /^guides\/(?:files-and-bodies|streams|choosing|authenticated-file|many-cores|passwords)/],
  ['hash a folder', /^guides\/files-and-bodies/],
  ['express', /^guides\/files-and-bodies/],
  ['tenant', /^guides\/choosing/],
  ['password', /^guides\/(?:passwords|choosing)/],
  ['libsodium', /^migrating\/from-libsodium/],
  ['login', /^guides\/passwords/],
  ['hash a password', /^guides\/passwords/],
  ['argon2', /^(?:guides\/passwords|api\/argon2)/],
  ['cookie', /^guides\/(?:fields|choosing)/],
  ['sqlite', /^packages\/sqlite/],
  ['verified streaming', /^guides\/verified-streaming/],
  ['csp', /^guides\/environments/],
  ['sha256', /^(?:guides\/|api\/sha2)/],
];

/** Throws a list of searches whose first result is another page; returns a sentence that says how many there were. */
export async function checkSearch(folder: string, base: string = process.env.SITE_BASE ?? '/'): Promise<string> {
  const chunks = join(folder, 'assets/chunks');
  const name = readdirSync(chunks).find((each) => each.startsWith('@localSearchIndexroot.'));
  if (name === undefined) throw new Error('the site has no index for its search');
  const { default: json } = (await import(pathToFileURL(join(chunks, name)).href)) as { default: string };
  // As VitePress makes it.
  const index = MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: searchOptions(base),
  });
  const wrong = WANTED.flatMap(([query, wanted]) => {
    const found = index.search(query).map(({ id }) => String(id).slice(base.length));
    return wanted.test(found[0] ?? '') ? [] : [`"${query}" finds first: ${found.slice(0, 5).join(', ')}`];
  });
  if (wrong.length > 0) throw new Error(`the search does not find tasks:\n${wrong.join('\n')}`);
  return `${WANTED.length} searches: each finds its guide first`;
}
