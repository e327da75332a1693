// Random lengths, for claims that would take too long at all lengths: the same ones in every run, or others by
// PROVE_SEED.
import { Random } from '../mutations/random.ts';

const USUAL = 1;
const seed = Number(process.env['PROVE_SEED'] ?? USUAL);
if (!Number.isInteger(seed)) throw new Error(`PROVE_SEED expected an integer, got ${process.env['PROVE_SEED'] ?? ''}`);

/** Whether claims have the lengths with which claims.golden.json was written. */
export const isUsual = seed === USUAL;

/** The setting that draws the same lengths again, which every report about them contains. */
export const seedText = `PROVE_SEED=${seed}`;

/** `count` random numbers from `least` to `most`, in rising order. */
export function drawn(count: number, least: number, most: number): number[] {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ (least + Math.imul(most, 31)));
  return Array.from({ length: count }, () => random.between(least, most)).sort((x, y) => x - y);
}
