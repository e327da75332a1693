/** The published texts of ChaCha's modules. */
import { chachaLongScalar, chachaLongVectors } from '../../../../lanewise/src/chacha/generated-bytes.ts';
import { unpacked } from '../../../../lanewise/src/engine/bytes.ts';

/** The bytes of an engine's module for long messages. */
export const unpackedChaCha = (engine: 'simd' | 'scalar'): Uint8Array =>
  unpacked(engine === 'simd' ? chachaLongVectors : chachaLongScalar);
