/**
 * Arrays of a class that gives another length than they have: every call of a drop-in package treats them as the original does, and
 * changes none of their bytes. (A question like `fill(0)`, whether a buffer is detached, wipes all bytes of one that says it has none.)
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../src/compare.ts';
import { distOf, folderOf } from '../src/folders.ts';
import { lines, type Line } from '../src/lines.ts';

type Any = Record<string, (...values: unknown[]) => unknown>;
type Call = (module: Any, lying: unknown) => unknown;

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (7 * i + 1) % 256);
const [key, nonce, short] = [bytes(32), bytes(24), bytes(12)];

function lying(length: number): Uint8Array {
  class Lying extends Uint8Array {
    override get length(): number {
      return length;
    }
  }
  const its = new Lying(new ArrayBuffer(64));
  Uint8Array.prototype.fill.call(its, 7);
  return its;
}

const inPieces = (hasher: Any, lie: unknown): unknown => ((hasher.update(bytes(9)) as Any).update(lie) as Any).digest();
const wrapped =
  (cipher: string, itsNonce: Uint8Array, call: string): Call =>
  (module, lie) =>
    (module[cipher](key, itsNonce) as Any)[call](lie);
const ciphers: Record<string, Record<string, Call>> = {
  chacha: {
    encrypt: wrapped('chacha20poly1305', short, 'encrypt'),
    decrypt: wrapped('xchacha20poly1305', nonce, 'decrypt'),
    'additional data': (module, lie) => (module.chacha20poly1305(key, short, lie) as Any).encrypt(bytes(9)),
    'a key': (module, lie) => (module.chacha20poly1305(lie, short) as Any).encrypt(bytes(9)),
    stream: (module, lie) => module.chacha20(key, short, lie),
  },
  salsa: { seal: wrapped('secretbox', nonce, 'seal'), open: wrapped('secretbox', nonce, 'open') },
  _poly1305: { mac: (module, lie) => module.poly1305(lie, key) },
};
const hashes: Record<string, Record<string, Call>> = {
  blake3: {
    hash: (module, lie) => module.blake3(lie),
    pieces: (module, lie) => inPieces((module.blake3 as unknown as Any).create() as Any, lie),
    context: (module, lie) => module.blake3(bytes(9), { context: lie }),
    key: (module, lie) => module.blake3(bytes(9), { key: lie }),
  },
  sha2: { hash: (module, lie) => module.sha256(lie), 'with 64-bit words': (module, lie) => module.sha512(lie) },
  blake2: {
    hash: (module, lie) => module.blake2b(lie),
    key: (module, lie) => module.blake2s(bytes(9), { key: lie }),
    salt: (module, lie) => module.blake2b(bytes(9), { salt: lie }),
  },
};
const nacl: Record<string, Call> = {
  secretbox: (module, lie) => module.secretbox(lie, nonce, key),
  'secretbox.open': (module, lie) => (module.secretbox as unknown as Any).open(lie, nonce, key),
  'a nonce': (module, lie) => module.secretbox(bytes(9), lie, key),
  'a key': (module, lie) => module.secretbox(bytes(9), nonce, lie),
};

const require = createRequire(import.meta.url);
const load = async (folder: string, file: string, isModule: boolean): Promise<Any> =>
  (isModule ? await import(pathToFileURL(join(folder, file)).href) : require(join(folder, file))) as Any;

function callsOf(line: Line): Record<string, Record<string, Call>> | undefined {
  if (line.package === 'noble-ciphers') return ciphers;
  if (line.package === 'noble-hashes') return hashes;
  return line.package === 'tweetnacl' ? { 'nacl-fast': nacl } : undefined;
}

describe.each(lines.filter(callsOf))('$original $major', (line) => {
  const table = Object.entries(callsOf(line)!).flatMap(([module, calls]) =>
    Object.entries(calls).map(([name, call]) => ({ module, name, call })),
  );
  it.each(table)('$module: $name', async ({ module, call }) => {
    const isModule = line.modules === 'esm';
    const ours = await load(distOf(line), `${module}.js`, isModule);
    const theirs = await load(folderOf(line.alias), `${module}.js`, isModule);
    for (const length of [0, 5, 32]) {
      const [lie, theirLie] = [lying(length), lying(length)];
      expect(outcomeOf(() => call(ours, lie))).toEqual(outcomeOf(() => call(theirs, theirLie)));
      expect(new Uint8Array(lie.buffer)).toEqual(new Uint8Array(theirLie.buffer));
      expect(new Uint8Array(lie.buffer)).toEqual(new Uint8Array(64).fill(7));
    }
  });
});
