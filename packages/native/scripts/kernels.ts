/**
 * The kernels of the library that have a form in C, each known by the text of its module: another version of a kernel may have other
 * functions or another memory map, has another text, and so isn't taken for this one.
 */
import { argon2Vectors } from '../../lanewise/src/argon2/generated-bytes.ts';
import { blake3Vectors } from '../../lanewise/src/blake3/generated-bytes.ts';
import { chachaLongVectors } from '../../lanewise/src/chacha/generated-bytes.ts';
import { diskVectors } from '../../lanewise/src/disk/generated-bytes.ts';
import { salsaLongVectors } from '../../lanewise/src/salsa/generated-bytes.ts';
import { scryptScalar } from '../../lanewise/src/scrypt/generated-bytes.ts';
import { serpentCtrVectors, serpentVectors } from '../../lanewise/src/serpent/generated-bytes.ts';

export interface NativeKernel {
  /** The name of its table of functions in C. */
  readonly symbol: string;
  readonly hash: number;
}

/** FNV-1a of 32 bits over the characters, all below 128; source/addon.c computes the same. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const texts = {
  chacha: chachaLongVectors,
  salsa: salsaLongVectors,
  blake3: blake3Vectors,
  serpentCtr: serpentCtrVectors,
  serpent: serpentVectors,
  disk: diskVectors,
  argon2: argon2Vectors,
  scrypt: scryptScalar,
};

export const kernels = (): readonly NativeKernel[] =>
  Object.entries(texts).map(([symbol, text]) => ({ symbol, hash: hashOf(text) }));
