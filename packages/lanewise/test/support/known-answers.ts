/** The known answers of /vectors as calls whose arguments are ready, so that a call runs no code but the library's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as blake3Module from '../../src/blake3.ts';
import type * as chachaModule from '../../src/chacha.ts';
import type * as poly1305Module from '../../src/poly1305.ts';
import { context, key as blake3Key, modeNames, pattern, type ModeName } from './blake3.ts';
import { unhex } from './bytes.ts';

/** The library, or one of several that were loaded apart. */
export type Library = typeof blake3Module & typeof chachaModule & typeof poly1305Module;

export interface KnownAnswer {
  readonly name: string;
  readonly call: () => Uint8Array;
  /** Bytes, or the text of an error. */
  readonly answer: Uint8Array | string;
}

/** All fields that a kind of vector has. */
type Vector = Readonly<
  Record<
    | (
        | 'name'
        | 'key'
        | 'nonce'
        | 'iv'
        | 'aad'
        | 'msg'
        | 'ct'
        | 'plaintext'
        | 'ciphertext'
        | 'tag'
        | 'message'
        | 'keystream'
      )
    | ('counter' | 'initialCounter' | 'position' | 'result' | 'kind' | 'output' | 'offset' | 'chainingValue'),
    string
  > &
    Record<'rounds' | 'length' | 'tcId' | 'input_len', number> &
    Record<ModeName, string> & { mode: ModeName }
>;
interface File {
  readonly tests: readonly Vector[];
  readonly sections: readonly { readonly kind: string; readonly tests: readonly Vector[] }[];
}
const load = (name: string): File =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors', name), 'utf8')) as File;
const read = (name: string): readonly Vector[] => load(name).tests;
const ofKind = (name: string, ...kinds: readonly string[]): Vector[] =>
  load(name)
    .sections.filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ tests }) => tests);

const COUNTER_END = /^RangeError: "data" expected at most/;
/** The text of an error, without the numbers of the case. */
export const outcome = (error: string): string => (COUNTER_END.test(error) ? 'the counter ends' : error);

const rawName = (rounds: number, nonceLength: number): 'chacha20' =>
  `${nonceLength === 24 ? 'x' : ''}chacha${rounds}${nonceLength === 8 ? 'orig' : ''}` as 'chacha20';

function chachaAnswers(library: Library): KnownAnswer[] {
  const keystream = (t: Vector, counter: bigint, length: number, answer: Uint8Array | string): KnownAnswer => {
    const [key, nonce, zeros] = [unhex(t.key), unhex(t.nonce), new Uint8Array(length)];
    const cipher = library[rawName(t.rounds, nonce.length)];
    return { name: t.name, call: () => cipher(key, nonce, zeros, undefined, counter), answer };
  };
  const xored = (t: Vector): KnownAnswer => {
    const [key, nonce, plaintext, counter] = [
      unhex(t.key),
      unhex(t.nonce),
      unhex(t.plaintext),
      Number(t.counter),
    ] as const;
    const cipher = library[rawName(20, nonce.length)];
    const call = (): Uint8Array => cipher.stream(key, nonce, counter).update(plaintext);
    return { name: t.name, call, answer: unhex(t.ciphertext) };
  };
  const sought = (t: Vector): KnownAnswer => {
    const [key, nonce, position] = [unhex(t.key), unhex(t.nonce), BigInt(t.position)];
    const zeros = new Uint8Array(t.keystream.length / 2);
    const cipher = library[rawName(t.rounds, nonce.length)];
    const call = (): Uint8Array => cipher.stream(key, nonce).seek(position).update(zeros);
    return { name: t.name, call, answer: unhex(t.keystream) };
  };
  const pycryptodome = (t: Vector): KnownAnswer => {
    const [key, nonce, message] = [unhex(t.key), unhex(t.iv), unhex(t.msg)];
    const counter = unhex(t.initialCounter).reverse();
    const first = BigInt(`0x${Buffer.from(counter).toString('hex')}`);
    const cipher = library[rawName(20, nonce.length)];
    const answer = t.result === 'valid' ? unhex(t.ct) : 'the counter ends';
    return { name: `pycryptodome ${t.tcId}`, call: () => cipher(key, nonce, message, undefined, first), answer };
  };
  return [
    ...read('chacha-classic.json').map((t) =>
      keystream(t, BigInt(t.counter), t.keystream.length / 2, unhex(t.keystream)),
    ),
    ...read('chacha-counter-edge.json').map((t) => {
      const answer = t.result === 'valid' ? unhex(t.keystream) : 'the counter ends';
      return keystream(t, BigInt(t.counter), t.length, answer);
    }),
    ...read('cryptopp-chacha.json').map(sought),
    ...read('pycryptodome-chacha20-counter.json').map(pycryptodome),
    ...ofKind('rfc8439.json', 'encrypt').map(xored),
    ...ofKind('xchacha-draft.json', 'xencrypt').map(xored),
  ];
}

function aeadAnswers(library: Library): KnownAnswer[] {
  const { chacha20poly1305, xchacha20poly1305 } = library;
  const both = (
    name: string,
    aead: typeof chacha20poly1305,
    [key, nonce, aad, plaintext, sealed]: readonly Uint8Array[],
    refused: string | undefined,
  ): KnownAnswer[] => {
    const open = { name: `${name}, open`, call: () => aead(key, nonce, aad).decrypt(sealed), answer: plaintext };
    if (refused) return [{ ...open, answer: refused }];
    return [open, { name: `${name}, seal`, call: () => aead(key, nonce, aad).encrypt(plaintext), answer: sealed }];
  };
  const wycheproof =
    (aead: typeof chacha20poly1305) =>
    (t: Vector): KnownAnswer[] => {
      const nonce = unhex(t.iv);
      const fields = [unhex(t.key), nonce, unhex(t.aad), unhex(t.msg), unhex(`${t.ct}${t.tag}`)];
      const wrongNonce = `RangeError: "nonce" expected Uint8Array of length ${aead.nonceLength}, got length=${nonce.length}`;
      const refused = nonce.length === aead.nonceLength ? 'Error: invalid tag' : wrongNonce;
      return both(`Wycheproof ${t.tcId}`, aead, fields, t.result === 'valid' ? undefined : refused);
    };
  const specified = (t: Vector): KnownAnswer[] => {
    const fields = [...[t.key, t.nonce, t.aad, t.plaintext].map(unhex), unhex(`${t.ciphertext}${t.tag}`)];
    return both(t.name, fields[1].length === 24 ? xchacha20poly1305 : chacha20poly1305, fields, undefined);
  };
  return [
    ...read('wycheproof-chacha20-poly1305.json').flatMap(wycheproof(chacha20poly1305)),
    ...read('wycheproof-xchacha20-poly1305.json').flatMap(wycheproof(xchacha20poly1305)),
    ...ofKind('rfc8439.json', 'aeadEncrypt', 'aeadDecrypt').flatMap(specified),
    ...ofKind('xchacha-draft.json', 'xaeadEncrypt').flatMap(specified),
  ];
}

function poly1305Answers({ poly1305 }: Library): KnownAnswer[] {
  const tests = [...read('poly1305-edge.json'), ...ofKind('rfc8439.json', 'poly1305')];
  return tests.flatMap((t) => {
    const [key, message, answer] = [unhex(t.key), unhex(t.message), unhex(t.tag)];
    const name = `Poly1305 ${t.tcId || t.name}`;
    return [
      { name, call: () => poly1305(message, key), answer },
      { name: `${name}, streamed`, call: () => poly1305.create(key).update(message).digest(), answer },
    ];
  });
}

/** ChaCha, its AEADs and Poly1305. */
export const cipherAnswers = (library: Library): KnownAnswer[] => [
  ...chachaAnswers(library),
  ...aeadAnswers(library),
  ...poly1305Answers(library),
];

export function blake3Answers({ blake3, hash, hashMany, subtree }: Library): KnownAnswer[] {
  const options = { hash: {}, keyed_hash: { key: blake3Key }, derive_key: { context } };
  const official = read('blake3.json').flatMap((t) => {
    const message = pattern(t.input_len);
    const half = message.subarray(0, message.length >> 1);
    const rest = message.subarray(half.length);
    return modeNames.flatMap((mode): KnownAnswer[] => {
      const name = `BLAKE3 ${mode} of ${t.input_len}`;
      const long = unhex(t[mode]);
      const longest = long.length;
      const answer = long.subarray(0, 32);
      const [plain, extended] = [options[mode], { ...options[mode], dkLen: longest }];
      const messages = [message, rest, message];
      return [
        { name, call: () => blake3(message, plain), answer },
        { name: `${name}, long`, call: () => blake3(message, extended), answer: long },
        { name: `${name}, alone`, call: () => hash(message, plain), answer },
        { name: `${name}, of many`, call: () => hashMany(messages, plain)[2], answer },
        {
          name: `${name}, streamed and saved`,
          call: () => blake3.load(blake3.create(plain).update(half).save()).update(rest).xof(longest),
          answer: long,
        },
      ];
    });
  });
  const edge = read('blake3-edge.json').flatMap((t): KnownAnswer[] => {
    const [message, mode] = [pattern(t.input_len), options[t.mode]];
    if (t.kind === 'output') {
      const [position, length] = [BigInt(t.position), t.length];
      const call = (): Uint8Array => blake3.create(mode).update(message).seek(position).xof(length);
      return [{ name: `BLAKE3 from ${position}`, call, answer: unhex(t.output) }];
    }
    if (t.kind !== 'subtree') return [];
    const at = { ...mode, offset: Number(t.offset) };
    const call = (): Uint8Array => subtree(message, at).chainingValue;
    return [{ name: `BLAKE3 part at ${at.offset}`, call, answer: unhex(t.chainingValue) }];
  });
  return [...official, ...edge];
}
