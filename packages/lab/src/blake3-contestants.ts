/**
 * Who takes part in BLAKE3: our engines, and the libraries people use today. Objects that can be used again are, and
 * what accepts an output buffer is given one if its result is long; digests are fresh for everybody, unless said.
 */
import * as fuzdev from '@fuzdev/blake3_wasm';
import { blake3 as noble } from '@noble/hashes/blake3.js';
import * as jit from 'blake3-jit';
import wasm from 'blake3-wasm';
import hashWasm from 'hash-wasm';
import { blake3 } from 'lanewise/blake3.js';
import { engines, lanewiseChoice, type Choice, type Contestant, type Output } from './contestants.ts';
import { versions } from './host.ts';

/** hash-wasm makes its objects asynchronously, with the key in them: one key for all. */
export const KEY: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);

export type Hash = (message: Uint8Array) => Uint8Array;
export type HashPieces = (pieces: readonly Uint8Array[]) => Uint8Array;
/** Output of the hash of a short message. */
export type Xof = (message: Uint8Array, out: Uint8Array) => Output;

/** What a library has not, it lacks here. */
export interface Hasher extends Pick<Contestant, 'name' | 'version' | 'unavailable' | 'prepare'> {
  readonly hash?: Hash;
  readonly keyed?: Hash;
  readonly pieces?: HashPieces;
  readonly xof?: Xof;
}

const version = versions();

const lanewise = (engine: Choice): Hasher => ({
  ...lanewiseChoice(engine),
  hash: (message) => blake3(message),
  keyed: (message) => blake3(message, { key: KEY }),
  pieces(pieces) {
    const hasher = blake3.create();
    for (const piece of pieces) hasher.update(piece);
    return hasher.digest();
  },
  xof: (message, out) => blake3.create().update(message).xofInto(out),
});

export const auto: Hasher = lanewise('auto');
export const [simd, scalar, js]: readonly Hasher[] = engines.map(lanewise);

/** Above 4 KiB its `hash` has vectors; its objects are plain JavaScript. */
export const blake3Jit: Hasher = {
  name: 'blake3-jit',
  version: version['blake3-jit'],
  hash: (message) => jit.hash(message),
  keyed: (message) => jit.createKeyed(KEY).update(message).finalize(),
  pieces(pieces) {
    const hasher = jit.createHasher();
    for (const piece of pieces) hasher.update(piece);
    return hasher.finalize();
  },
  xof: (message, out) => jit.createHasher().update(message).finalizeXof().read(out.length),
};

const digest = new Uint8Array(32);
/** The same without a fresh digest. */
export const blake3JitInto: Hasher = {
  name: 'blake3-jit, hashInto',
  version: blake3Jit.version,
  hash(message) {
    jit.hashInto(message, digest);
    return digest;
  },
};

const fuzdevHasher = new fuzdev.Blake3Hasher();
/** The official crate with vectors. It has no output longer than a digest. */
export const fuzdevBlake3: Hasher = {
  name: 'fuzdev',
  version: version['@fuzdev/blake3_wasm'],
  hash: (message) => fuzdev.hash(message),
  keyed: (message) => fuzdev.keyed_hash(KEY, message),
  pieces(pieces) {
    for (const piece of pieces) fuzdevHasher.update(piece);
    return fuzdevHasher.finalize_and_reset();
  },
};

/** Of more output than this, hash-wasm gives only so much. */
export const HASH_WASM_XOF = 16384;
const [plain, keyed, long] = await Promise.all([
  hashWasm.createBLAKE3(),
  hashWasm.createBLAKE3(256, KEY),
  hashWasm.createBLAKE3(8 * HASH_WASM_XOF),
]);
export const hashWasmBlake3: Hasher = {
  name: 'hash-wasm',
  version: version['hash-wasm'],
  hash: (message) => plain.init().update(message).digest('binary'),
  keyed: (message) => keyed.init().update(message).digest('binary'),
  pieces(pieces) {
    plain.init();
    for (const piece of pieces) plain.update(piece);
    return plain.digest('binary');
  },
  xof: (message) => long.init().update(message).digest('binary'),
};

/** It wants a key as a Buffer. */
const KEY_BUFFER = Buffer.from(KEY);

export const blake3Wasm: Hasher = {
  name: 'blake3-wasm',
  version: version['blake3-wasm'],
  hash: (message) => wasm.createHash().update(message).digest(),
  keyed: (message) => wasm.createKeyed(KEY_BUFFER).update(message).digest(),
  pieces(pieces) {
    const hasher = wasm.createHash();
    for (const piece of pieces) hasher.update(piece);
    return hasher.digest();
  },
  xof(message, out) {
    const hasher = wasm.createHash().update(message);
    const reader = hasher.reader();
    reader.readInto(out);
    reader.dispose();
    return out;
  },
};

export const nobleBlake3: Hasher = {
  name: 'noble',
  version: version['@noble/hashes'],
  hash: (message) => noble(message),
  keyed: (message) => noble(message, { key: KEY }),
  pieces(pieces) {
    const hasher = noble.create();
    for (const piece of pieces) hasher.update(piece);
    return hasher.digest();
  },
  xof: (message, out) => noble.create().update(message).xofInto(out),
};
