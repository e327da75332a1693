/** What the two forms of `#packages` have in common. */
import type { NativeCipher } from '../native.ts';
import type { CipherContestant, Contestant, MakeXor } from './contestants/contestant.ts';

export interface Fuzdev {
  readonly hash: (data: Uint8Array) => Uint8Array;
  readonly keyed_hash: (key: Uint8Array, data: Uint8Array) => Uint8Array;
  readonly Blake3Hasher: new () => { update(data: Uint8Array): void; finalize_and_reset(): Uint8Array };
}

interface Blake3WasmReader {
  readInto(out: Uint8Array): void;
  dispose(): void;
}
interface Blake3WasmHash {
  update(data: Uint8Array): this;
  digest(): Uint8Array;
  reader(): Blake3WasmReader;
}
export interface Blake3Wasm {
  createHash(): Blake3WasmHash;
  createKeyed(key: Uint8Array): Blake3WasmHash;
}

/** What the API of hacl-wasm has of ours: each result is an array of results. */
export interface Hacl {
  readonly Chacha20Poly1305: {
    aead_encrypt(
      key: Uint8Array,
      nonce: Uint8Array,
      aad: Uint8Array,
      message: Uint8Array,
    ): readonly [ciphertext: Uint8Array, tag: Uint8Array];
    aead_decrypt(
      key: Uint8Array,
      nonce: Uint8Array,
      aad: Uint8Array,
      ciphertext: Uint8Array,
      tag: Uint8Array,
    ): readonly [error: number, message: Uint8Array];
  };
  readonly SHA2: { hash_256(message: Uint8Array): readonly [Uint8Array] };
}

/** A program of its own that times an operation on what it was given. */
export interface Timer {
  /** Milliseconds of so many operations. */
  time(count: number): number;
  /** What is wrong with the last one; undefined if nothing is. */
  fault(expected: Uint8Array): string | undefined;
  end(): void;
}

/** An operation's key, nonce and data. */
export interface NativeInput {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
}

export interface NativeContestant extends Contestant {
  start(input: NativeInput): Timer;
}

/** What only Node has. */
export interface NodeContestants {
  readonly nodeCrypto: CipherContestant;
  readonly nodeAes: { readonly gcm: MakeXor; readonly ctr: MakeXor };
  readonly nodeXts: (pageSize: number) => MakeXor;
  readonly nodeSha256: (message: Uint8Array) => Uint8Array;
  /** The official crate of BLAKE3, at the levels that it can be kept to. */
  readonly nativeBlake3: readonly NativeContestant[];
  /** C libraries, if the machine has them; of pages, a Go module. */
  readonly nativeCiphers: (
    operation: NativeCipher['operation'],
    libraries: readonly NativeCipher['library'][],
  ) => readonly NativeContestant[];
  readonly bcrypto: Contestant & { readonly serpentCtr: MakeXor };
}
