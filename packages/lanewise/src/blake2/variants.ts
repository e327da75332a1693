/** BLAKE2b and BLAKE2s as callers see them: their sizes in bytes, and their kernels. RFC 7693 §2.1, §2.5 */
import type { Instance } from '../engine/instance.ts';
import { blake2bInstance, blake2sInstance } from './binding.ts';
import type { Functions } from './module.ts';

export interface Variant {
  readonly name: 'BLAKE2b' | 'BLAKE2s';
  readonly blockBytes: 128 | 64;
  /** The most bytes of a digest, and of a key; also the size of the chaining value and of the parameter block. */
  readonly mostBytes: 64 | 32;
  /** The bytes of a salt, and of a personalization: together the second half of the parameter block. */
  readonly saltBytes: 16 | 8;
  readonly instance: () => Instance<Functions>;
}

export const variant2b: Variant = {
  name: 'BLAKE2b',
  blockBytes: 128,
  mostBytes: 64,
  saltBytes: 16,
  instance: blake2bInstance,
};
export const variant2s: Variant = {
  name: 'BLAKE2s',
  blockBytes: 64,
  mostBytes: 32,
  saltBytes: 8,
  instance: blake2sInstance,
};
