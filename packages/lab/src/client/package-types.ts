/** The types that both forms of `#packages` share. */
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

/** Contestants that exist in Node only. */
export interface NodeContestants {
  readonly nodeCrypto: CipherContestant;
  readonly nodeAes: { readonly gcm: MakeXor; readonly gcmOpen: MakeXor; readonly ctr: MakeXor };
  readonly nodeXts: (pageSize: number) => MakeXor;
  readonly nodeSha256: (message: Uint8Array) => Uint8Array;
  readonly nodeScrypt: (
    password: Uint8Array,
    salt: Uint8Array,
    parameters: { readonly N: number; readonly r: number; readonly p: number; readonly dkLen: number },
  ) => Uint8Array;
  /** The official crate of BLAKE3, at each level of vectors that it can be restricted to. */
  readonly nativeBlake3: readonly NativeContestant[];
  /** Ciphers of C libraries, if the machine has them; for pages, a Go module. */
  readonly nativeCiphers: (
    operation: NativeCipher['operation'],
    libraries: readonly NativeCipher['library'][],
  ) => readonly NativeContestant[];
  /** A temporary file for reading, as Node's FileHandle. */
  readonly nodeFile: (parts: AsyncIterable<Uint8Array>) => Promise<{
    readonly handle: { stat(): Promise<{ size: number }>; read: unknown };
    readonly end: () => void;
  }>;
  readonly bcrypto: Contestant & { readonly serpentCtr: MakeXor };
}
