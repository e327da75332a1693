/** `npm run site:build`: writes the whole site to `site/dist`, and fails on a link that leads nowhere. */
import { join } from 'node:path';
import { build } from 'vitepress';
import { writeApi } from './api.ts';
import { checkSite } from './check.ts';
import { checkSearch } from './check-search.ts';
import { pagesFolder, siteFolder, writePages, writeWholeParts } from './site-files.ts';

export async function buildSite(): Promise<void> {
  await writePages();
  await writeWholeParts();
  await writeApi(join(pagesFolder, 'api'));
  await build(siteFolder);
  const dist = join(siteFolder, 'dist');
  process.stdout.write(`${checkSite(dist)}\n${await checkSearch(dist)}\n`);
}

if (import.meta.main) await buildSite();
