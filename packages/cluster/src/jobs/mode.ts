/** The three modes of BLAKE3 in job data: the hash, the keyed hash by the id of a key, key derivation by its context. */
import { readFile } from 'node:fs/promises';
import { blake3, type Blake3Options } from 'lanewise/blake3.js';
import { bytesToHex, clean } from 'lanewise/utils.js';
import { fieldsOf, oneOf, stringOf } from './check.ts';
import { FinalError } from './errors.ts';

/** A mode, as it goes through the queue: a key is there by its id only. */
export type HashMode =
  | { readonly name: 'hash' }
  | { readonly name: 'keyed'; readonly keyId: string }
  | { readonly name: 'derive'; readonly context: string };

const FIELDS = { hash: [], keyed: ['keyId'], derive: ['context'] } as const;

/** The most characters of a key's id. */
export const MOST_ID = 256;
/** The most characters of a context. */
export const MOST_CONTEXT = 4096;

export function modeOf(value: unknown): HashMode {
  const { name: given } = fieldsOf(value, 'mode', ['name'], ['keyId', 'context']);
  const name = oneOf(given, 'mode.name', ['hash', 'keyed', 'derive'] as const);
  const { keyId, context } = fieldsOf(value, 'mode', ['name', ...FIELDS[name]]);
  if (name === 'keyed') return { name, keyId: stringOf(keyId, 'mode.keyId', MOST_ID) };
  if (name === 'derive') return { name, context: stringOf(context, 'mode.context', MOST_CONTEXT) };
  return { name };
}

/** Options for the library in this mode. */
export interface ModeOptions {
  readonly options: Pick<Blake3Options, 'key' | 'context'>;
  /**
   * Of a keyed hash: a value derived from the key, by which the root notices that two workers have different keys under one id. It tells
   * nothing about a key of 32 random bytes.
   */
  readonly check: string | undefined;
}

/** Reads the file of a key. */
export async function readKey(keyFiles: Readonly<Record<string, string>>, keyId: string): Promise<Uint8Array> {
  const path = Object.hasOwn(keyFiles, keyId) ? keyFiles[keyId] : undefined;
  if (path === undefined)
    throw new FinalError('"keyId" expected the id of a key in "keyFiles" of its worker, got another');
  const key = await readFile(path);
  if (key.length === 32) return key;
  clean(key);
  throw new FinalError(`key file expected length 32, got length=${key.length}`);
}

/** Runs a function with the options of a mode, and wipes the key afterwards. */
export async function inMode<Result>(
  mode: HashMode,
  keyFiles: Readonly<Record<string, string>>,
  use: (mode: ModeOptions) => Promise<Result>,
): Promise<Result> {
  if (mode.name === 'hash') return await use({ options: {}, check: undefined });
  if (mode.name === 'derive') return await use({ options: { context: mode.context }, check: undefined });
  const key = await readKey(keyFiles, mode.keyId);
  try {
    const check = blake3(key, { context: '@lanewise/cluster 2026 do workers have the same key', dkLen: 16 });
    return await use({ options: { key }, check: bytesToHex(check) });
  } finally {
    clean(key);
  }
}
