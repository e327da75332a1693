/** The types that both forms of `#packages` share. */
import type { Contestant } from './contestants/contestant.ts';

export type Fuzdev = Pick<typeof import('@fuzdev/blake3_wasm'), 'hash' | 'keyed_hash' | 'Blake3Hasher'>;

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

/** The part of hacl-wasm's API that is used here: each result is an array of results. */
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

/** A separate program that times an operation on its input. */
export interface Timer {
  /** Milliseconds for `count` operations. */
  time(count: number): number;
  /** The fault of the last output, or undefined. */
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
