/**
 * Compiles the addon with zig, for all systems (`--all`) or for one (`--target linux-arm64-gnu`): with the zig of ZIG, or that of PyPI, which
 * is fetched once. Writes `build/SYSTEM/lanewise.node`, and prints their SHA-256.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADDON, folderOf } from '../src/place.ts';
import { prebuilt } from './prebuilt.ts';
import { targets } from './targets.ts';
import { zigHere } from './zig.ts';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false }, target: { type: 'string' } } });
const wanted = targets.filter(({ name }) => values.all || name === values.target);
if (wanted.length === 0)
  throw new Error(`expected --all, or --target with one of ${targets.map(({ name }) => name).join(', ')}`);
const found = await zigHere();
if ('missing' in found) throw new Error(`no zig: ${found.missing}`);
for (const { target, addon } of await prebuilt(found.zig, wanted, (text) => console.error(text))) {
  const folder = folderOf(target.name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(addon, join(folder, ADDON));
  console.log(`${createHash('sha256').update(readFileSync(addon)).digest('hex')}  ${target.name}/${ADDON}`);
}
