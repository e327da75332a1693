/** The header of a journal: the operation and its parameters as text, with hashes that authenticate the text and verify the key. */
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex, clean } from 'lanewise/utils.js';
import { Failure, UsageError } from '../command.ts';
import type { Operation, Settings } from './options.ts';

export interface Header extends Settings {
  readonly operation: Operation;
  /** Bytes of the image. */
  readonly size: number;
  /** Bytes of a batch, which is overwritten at a time: whole sectors. */
  readonly batchBytes: number;
  /** Device and inode of the image. They hold until the machine restarts: devices can have other numbers then. */
  readonly device: string;
  readonly inode: string;
  readonly boot?: string | undefined;
  /** 32 random bytes, in hexadecimal: no two journals have the same. */
  readonly id: string;
}

export const HEADER_BYTES = 4096;
const TITLE = 'lanewise disk journal, version 2';
const CONTEXT = 'lanewise 2026-11-21 journal of an image that is encrypted in place';

/** The key of a journal's hashes. */
export function markOf(imageKey: Uint8Array, id: string): Uint8Array {
  const material = Buffer.concat([imageKey, Buffer.from(id, 'hex')]);
  try {
    return blake3(material, { context: CONTEXT });
  } finally {
    clean(material);
  }
}

const hashOf = (text: string, key?: Uint8Array): string => bytesToHex(blake3(Buffer.from(text), key ? { key } : {}));

/** Four lines: title, facts, keyed hash of both, hash of all three; then empty lines. */
export function encodeHeader({ first, ...facts }: Header, key: Uint8Array): Uint8Array {
  const said = `${TITLE}\n${JSON.stringify({ ...facts, first: String(first) })}\n`;
  const keyed = `${said}${hashOf(said, key)}\n`;
  return Buffer.alloc(HEADER_BYTES, '\n').fill(`${keyed}${hashOf(keyed)}`, 0, keyed.length + 64);
}

/** @throws UsageError if the key is wrong, Failure if this is not a valid header. */
export function decodeHeader(bytes: Uint8Array, name: string, imageKey: Uint8Array): Header {
  const [title, facts, keyed, plain] = Buffer.from(bytes).toString().split('\n');
  const said = `${title}\n${facts}\n`;
  if (hashOf(`${said}${keyed}\n`) !== plain) throw new Failure(`${name}: damaged: its header does not add up`);
  if (title !== TITLE) throw new Failure(`${name}: of another version of this command`);
  const { first, ...rest } = JSON.parse(facts) as Omit<Header, 'first'> & { readonly first: string };
  const key = markOf(imageKey, rest.id);
  try {
    if (hashOf(said, key) !== keyed) throw new UsageError(`${name}: the image was begun with another key`);
  } finally {
    clean(key);
  }
  return { ...rest, first: BigInt(first) };
}
