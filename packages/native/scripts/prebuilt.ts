/** The addons of all systems, compiled by zig, and kept in a cache by the hash of all that they are made of. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compilation, root } from '../src/compile.ts';
import { ADDON } from '../src/place.ts';
import { generate } from './generate.ts';
import { headers } from './headers.ts';
import { targets, type Target } from './targets.ts';
import { cache } from './zig.ts';

const source = join(root, 'source');
const run = promisify(execFile);

/** For dlltool: the functions that an addon of Windows takes from the program that loads it. */
async function definitions(folder: string): Promise<string> {
  const header = readFileSync(join(source, 'node-api.h'), 'utf8');
  const names = [...header.matchAll(/^NAPI napi_status (\w+)/gm)].map(([, name]) => name);
  const file = join(folder, 'node-api.def');
  await writeFile(file, `NAME node.exe\nEXPORTS\n${names.join('\n')}\n`);
  return file;
}

/** Without the time at which a library of Windows was linked: PE format, COFF file header, TimeDateStamp. */
export function withoutTime(library: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(library);
  const view = new DataView(bytes.buffer);
  const header = view.getUint32(0x3c, true);
  if (view.getUint32(header) !== 0x50450000) throw new Error('expected a library of Windows, got another file');
  view.setUint32(header + 8, 0, true);
  return bytes;
}

/** Compiles the addon of one system in an empty folder, which has no part in its bytes. */
async function compiled(zig: readonly string[], target: Target, folder: string): Promise<Uint8Array> {
  const { triple, cpu, linked, machine } = target;
  const generated = join(folder, 'generated');
  generate(generated);
  const library = join(folder, 'node.lib');
  const [program, ...before] = zig;
  // Its own cache, or the second time would copy the objects of the first.
  const env = { ...process.env, ZIG_LOCAL_CACHE_DIR: join(folder, 'cache') };
  if (machine)
    await run(program, [...before, 'dlltool', '-d', await definitions(folder), '-m', machine, '-l', library], { env });
  const its = machine ? ['-s', library] : (linked ?? ['-s']);
  const compiler = [...zig, 'cc', '-target', triple];
  const { commands, addon } = compilation({ compiler, arch: cpu, generated, folder, addon: ADDON, linked: its });
  for (const [command, ...operands] of commands) await run(command, operands, { env });
  const bytes = new Uint8Array(await readFile(addon));
  return target.os === 'win32' ? withoutTime(bytes) : bytes;
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Compiles it twice in different folders, and throws unless both are the same, byte for byte, with no path of this machine. */
async function compiledTwice(zig: readonly string[], target: Target): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'lanewise-prebuilt-'));
  try {
    const folders = [join(folder, 'first'), join(folder, 'another/second')];
    for (const its of folders) await mkdir(its, { recursive: true });
    const [first, second] = await Promise.all(folders.map((its) => compiled(zig, target, its)));
    if (sha256(first) !== sha256(second)) throw new Error(`${target.name}: two compilations give other bytes`);
    const text = Buffer.from(first).toString('latin1');
    if ([root, folder].some((path) => text.includes(path)))
      throw new Error(`${target.name}: the addon has a path of this machine`);
    return first;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of all that the addons are made of. */
async function stateOf(zig: readonly string[]): Promise<string> {
  const [program, ...before] = zig;
  const { stdout: version } = await run(program, [...before, 'version']);
  const files = readdirSync(source)
    .sort()
    .map((file) => join(source, file));
  const own = [import.meta.filename, join(root, 'src/compile.ts')];
  const texts = [...files, ...own].map((file) => readFileSync(file, 'utf8'));
  return sha256(JSON.stringify([version, targets, headers(), texts])).slice(0, 16);
}

export interface Prebuilt {
  readonly target: Target;
  /** The addon's path. */
  readonly addon: string;
}

/** The addons of these systems. Those that the cache lacks are compiled, each twice. */
export async function prebuilt(
  zig: readonly string[],
  wanted: readonly Target[] = targets,
  say: (text: string) => void = () => undefined,
): Promise<readonly Prebuilt[]> {
  const folder = join(cache, 'native', await stateOf(zig));
  const all: Prebuilt[] = [];
  for (const target of wanted) {
    const addon = join(folder, target.name, ADDON);
    if (!existsSync(addon)) {
      const bytes = await compiledTwice(zig, target);
      await mkdir(dirname(addon), { recursive: true });
      const partial = `${addon}.${process.pid}`;
      await writeFile(partial, bytes);
      await rename(partial, addon);
      say(`compiled twice for ${target.name}: the same, byte for byte`);
    }
    all.push({ target, addon });
  }
  return all;
}
