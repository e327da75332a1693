/** The 143 age files of C2SP's CCTV, with the description of each. */
import * as cctv from 'cctv-age';
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { Decrypter } from '../src/index.ts';

export interface Vector {
  readonly name: string;
  readonly expect: 'success' | 'no match' | 'HMAC failure' | 'header failure' | 'armor failure' | 'payload failure';
  /** SHA-256 of all that a reader releases, also before an error. */
  readonly payload: string | undefined;
  readonly identities: readonly string[];
  readonly passphrases: readonly string[];
  readonly file: Uint8Array;
}

function vectorOf(name: string, bytes: Uint8Array): Vector {
  const all = Buffer.from(bytes);
  const at = all.indexOf('\n\n');
  const fields = all
    .subarray(0, at)
    .toString()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const);
  const values = (key: string): string[] => fields.flatMap(([name, value]) => (name === key ? [value] : []));
  const body = all.subarray(at + 2);
  return {
    name,
    expect: values('expect')[0] as Vector['expect'],
    payload: values('payload').at(0),
    identities: values('identity'),
    passphrases: values('passphrase'),
    file: new Uint8Array(values('compressed')[0] === 'zlib' ? inflateSync(body) : body),
  };
}

export const vectors: readonly Vector[] = Object.entries(cctv as Record<string, Uint8Array>)
  .filter(([name]) => name !== 'default')
  .map(([name, bytes]) => vectorOf(name, bytes));

/** The decrypter that a vector is for. */
export function decrypterFor({ identities, passphrases }: Vector): Decrypter {
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  for (const passphrase of passphrases) decrypter.addPassphrase(passphrase);
  return decrypter;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Cuts bytes into pieces of these lengths, again and again. */
export function* cut(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let from = 0, i = 0; from < bytes.length; i++) {
    const to = from + lengths[i % lengths.length];
    yield bytes.slice(from, to);
    from = to;
  }
}

/** All that a stream gives, and its error. */
export async function released(stream: ReadableStream<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  let error: unknown;
  try {
    for await (const piece of stream) pieces.push(piece.slice());
  } catch (caught) {
    error = caught;
  }
  return { plaintext: Buffer.concat(pieces), error };
}
