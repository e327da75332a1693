/** Mutants: a kernel's bytes with one bit of the code flipped. */
import { decode } from '../wasm/decode.ts';
import { DecodeError, type DecodedModule } from '../wasm/types.ts';
import { codeSection } from './patch.ts';

/** A bit of the byte at an offset in the module. */
export interface Flip {
  readonly at: number;
  readonly bit: number;
}

/** All bits of all function bodies and their sizes. */
export function allFlips(bytes: Uint8Array): Flip[] {
  const { content, to } = codeSection(bytes);
  return Array.from({ length: 8 * (to - content) }, (_, i) => ({ at: content + (i >> 3), bit: i & 7 }));
}

export function flipped(bytes: Uint8Array, { at, bit }: Flip): Uint8Array<ArrayBuffer> {
  const mutant = Uint8Array.from(bytes);
  mutant[at] ^= 1 << bit;
  return mutant;
}

/**
 * The reason why bytes are not a mutant: the engine refuses them, or they have instructions that kernels do not have.
 */
export type Unfit = 'invalid' | 'undecodable';

export function asModule(bytes: Uint8Array<ArrayBuffer>): DecodedModule | Unfit {
  if (!WebAssembly.validate(bytes)) return 'invalid';
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return 'undecodable';
    throw error;
  }
}
