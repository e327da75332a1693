/** The files beside the tarballs: hashes, and the list of components. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { moduleFiles } from '../../lanewise/scripts/rooms.ts';
import { hasClaims } from '../../proofs/src/unproven.ts';
import { savedIn } from '../../proofs/src/golden-files.ts';
import type { Golden } from '../../proofs/src/golden.ts';
import { workspace } from './packages.ts';
import { run } from './run.ts';

const hashed = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest('hex');

/** Lines that `sha256sum --check` and `sha512sum --check` read. */
export async function sumsOf(
  algorithm: 'sha256' | 'sha512',
  folder: string,
  files: readonly string[],
): Promise<string> {
  const lines = files.map(async (name) => `${hashed(algorithm, await readFile(join(folder, name)))}  ${name}\n`);
  return (await Promise.all(lines)).join('');
}

/** The files below a folder of another one, in order, with slashes. */
export async function filesBelow(base: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(base, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(base, join(parentPath, name)).replaceAll(sep, '/'))
    .sort();
}

const PROOFS = join(workspace, 'packages/proofs/src/rooms');

/** The modules that were proved, for `sha256sum --check` in the installed package; the tarball has exactly these. */
export async function provenSums(tarball: string, scratch: string): Promise<string> {
  await run('tar', ['-xzf', tarball, '-C', scratch, 'package/dist/wasm'], scratch);
  // Without the modules that `packages/proofs` executes, because those need a build of this workspace.
  const proved = Object.assign(
    {},
    ...readdirSync(PROOFS).map((room) => savedIn({ folder: join(PROOFS, room) }, 'golden.json')),
  ) as Golden;
  const lines = moduleFiles.map(async ({ file, kernel }) => {
    if (!hasClaims(kernel)) return '';
    const sum = hashed('sha256', await readFile(join(scratch, 'package/dist/wasm', file)));
    if (proved[kernel]?.sha256 !== sum) throw new Error(`${file} of the tarball is not the module that was proved`);
    return `${sum}  dist/wasm/${file}\n`;
  });
  return (await Promise.all(lines)).join('');
}

interface Components {
  serialNumber: string;
  readonly metadata: { timestamp: string };
  readonly components: { externalReferences?: readonly { readonly type: string; readonly url: string }[] }[];
}

/**
 * The list of components with a date that a second run has, too, without the addresses of the registry on this machine, and with a number
 * that follows from its text (UUID version 8, RFC 9562).
 */
export function reproducible(sbom: string, date: string, registry: string): string {
  const its = JSON.parse(sbom) as Components;
  its.serialNumber = '';
  its.metadata.timestamp = date;
  for (const component of its.components)
    component.externalReferences = (component.externalReferences ?? []).filter(({ url }) => !url.startsWith(registry));
  const digits = hashed('sha256', Buffer.from(JSON.stringify(its)));
  const variant = ((parseInt(digits[16], 16) & 3) | 8).toString(16);
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, variant + digits.slice(17, 20)];
  its.serialNumber = `urn:uuid:${groups.join('-')}-${digits.slice(20, 32)}`;
  return `${JSON.stringify(its, undefined, 2)}\n`;
}
