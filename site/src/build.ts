/** `npm run site:build`: writes the whole site to `site/dist`, and fails on a link that leads nowhere. */
import { join } from 'node:path';
import { build } from 'vitepress';
import { writeApi } from './api.ts';
import { checkSite } from './check.ts';
import { pagesFolder, siteFolder, writePages, writeWholeParts } from './site-files.ts';

writePages();
await writeWholeParts();
await writeApi(join(pagesFolder, 'api'));
await build(siteFolder);
process.stdout.write(`${checkSite(join(siteFolder, 'dist'))}\n`);
