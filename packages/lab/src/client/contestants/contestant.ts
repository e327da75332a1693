/**
 * Contestants: our engines and the libraries people use today, each behind the same few interfaces. A function that
 * accepts an output buffer is given one; an operation that a library lacks is missing from its contestant.
 */
import type { Output } from '../bytes.ts';
import type { CaseDescription, Standing } from '../messages.ts';

export type { Output } from '../bytes.ts';

/** The identity of a contestant. */
export interface Contestant {
  /** Unique and stable, because ids of cases are made of it. */
  readonly name: string;
  /** The library, without the engine. */
  readonly library: string;
  readonly standing: Standing;
  readonly engine?: CaseDescription['engine'];
  readonly version: string | undefined;
  /** The reason why it cannot take part. */
  readonly unavailable?: string | undefined;
  /** Selects the engine; must be called before its functions if another contestant ran in between. */
  readonly prepare?: (() => void) | undefined;
}

export const TAG_BYTES = 16;
export type AeadName = 'chacha20poly1305' | 'xchacha20poly1305';
export const NONCE_BYTES: Readonly<Record<AeadName, number>> = { chacha20poly1305: 12, xchacha20poly1305: 24 };

/** An AEAD with a key and a nonce, and no additional data. The result may or may not be `out`. */
export interface Aead {
  readonly seal: (plaintext: Uint8Array, out: Uint8Array) => Output;
  /** Throws if the tag is wrong. */
  readonly open: (sealed: Uint8Array, out: Uint8Array) => Output;
}
export type MakeAead = (name: AeadName, key: Uint8Array, nonce: Uint8Array) => Aead;

/** XORs the keystream onto data, from the start of the keystream. */
export type Xor = (data: Uint8Array, out: Uint8Array) => Output;
/** ChaCha of RFC 8439 with the counter at 0. */
export type MakeXor = (key: Uint8Array, nonce: Uint8Array) => Xor;

export interface CipherContestant extends Contestant {
  readonly aead: MakeAead;
  readonly chacha20: MakeXor;
}

/** ChaCha with 12 and 8 rounds as well. */
export interface ReducedRounds {
  readonly chacha12: MakeXor;
  readonly chacha8: MakeXor;
}

export interface MacContestant extends Contestant {
  readonly poly1305: (key: Uint8Array) => (message: Uint8Array) => Output;
}

export type Hash = (message: Uint8Array) => Uint8Array;
export type HashPieces = (pieces: readonly Uint8Array[]) => Uint8Array;
/** Writes extended output of the hash of a short message. */
export type Xof = (message: Uint8Array, out: Uint8Array) => Output;

/** The functions of BLAKE3. */
export interface Hasher extends Contestant {
  readonly hash?: Hash;
  readonly keyed?: Hash;
  readonly pieces?: HashPieces;
  readonly xof?: Xof;
}

export type FullHasher = Contestant & Required<Pick<Hasher, 'hash' | 'keyed' | 'pieces' | 'xof'>>;

/**
 * The key of all keyed hashes, from the official test vectors. There is one key only, because hash-wasm creates its
 * objects asynchronously, with the key in them.
 */
export const HASH_KEY: Uint8Array<ArrayBuffer> = new TextEncoder().encode('whats the Elvish word for friend');
