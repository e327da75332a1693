/** A stand-in for a browser: runs the modules of a page, as far as the pages of the lab need it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { setInterval } from 'node:timers';

const [url, folder] = process.argv.slice(2);
// A profile, which must be removed afterwards.
mkdirSync(join(folder, 'profile'));
writeFileSync(join(folder, 'profile', 'cookies'), 'crumbs');

const { contests } = await (await fetch(new URL('task.json', url))).json();
if (contests[0] === 'browser ends') {
  process.stderr.write('out of memory\n');
  process.exit(9);
}

const given = globalThis.fetch;
const listeners = new Map();
Object.assign(globalThis, {
  location: { href: url },
  fetch: (path, options) => given(new URL(path, url), options),
  addEventListener: (name, listener) => void listeners.set(name, listener),
});
const [, script] = /src="([^"]+)"/.exec(await (await given(url)).text());

/** Texts of modules, fetched before they are imported, because hooks are synchronous. */
const texts = new Map();
async function load(path, from) {
  const { href } = new URL(path, from);
  const text = await (await given(href)).text();
  texts.set(href, text);
  for (const [, imported] of text.matchAll(/from '([^']+)'/g)) await load(imported, href);
}
await load(script, url);
const { href: page } = new URL(script, url);
registerHooks({
  resolve: (specifier, context, next) =>
    texts.has(URL.parse(specifier, context.parentURL)?.href)
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : next(specifier, context),
  load(address, context, next) {
    const source = texts.get(address);
    return source === undefined ? next(address, context) : { source, format: 'module', shortCircuit: true };
  },
});
try {
  await import(page);
} catch (error) {
  listeners.get('error')?.({ error });
}
// A browser keeps running when its page has nothing to do.
setInterval(() => {}, 1000);
