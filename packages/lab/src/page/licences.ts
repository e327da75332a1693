/** The licences of the code in the published page, which every copy must include. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PACKAGES } from '../client/package-names.ts';

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The dependencies of the page itself, beside the contestants. */
const OF_THE_PAGE = ['@observablehq/plot', 'valibot'];

function folderOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** Packages with all of their dependencies. */
function withDependencies(
  names: readonly string[],
): Map<string, { readonly folder: string; readonly manifest: Manifest }> {
  const all = new Map<string, { folder: string; manifest: Manifest }>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (all.has(name)) continue;
    const folder = folderOf(name);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    all.set(name, { folder, manifest });
    waiting.push(...Object.keys(manifest.dependencies ?? {}));
  }
  return all;
}

export function licences(): string {
  const names = [...PACKAGES.filter((name) => name !== 'lanewise'), ...OF_THE_PAGE];
  const texts = Array.from(withDependencies(names), ([name, { folder, manifest }]) => {
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    return `${name} ${manifest.version} (${manifest.license ?? 'see its package'})\n${text}`;
  });
  return `This page contains these packages.\n\n${texts.toSorted().join(`\n${'-'.repeat(72)}\n\n`)}`;
}
