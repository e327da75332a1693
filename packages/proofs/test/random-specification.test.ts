/** The specification that ChaCha8Rand is proved against, run on numbers: the sample output in its text. */
import { itCoversItsSpecifications } from './specification-coverage.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { iteration } from '../src/rooms/random/specification.ts';
import { numbers, wordsOf } from '../src/specifications/algebra.ts';

const file = join(import.meta.dirname, '../../../vectors/chacha8rand-c2sp.json');
const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { tests: readonly { seed: string; output: string }[] };

describe('ChaCha8Rand', () => {
  it.each(tests)('gives the sample of seed $seed', ({ seed, output }) => {
    let key = wordsOf(numbers, [...Buffer.from(seed, 'hex')]);
    const bytes: number[] = [];
    while (bytes.length < output.length / 2) {
      const made = iteration(numbers, key);
      bytes.push(...made.output);
      key = made.next;
    }
    expect(Buffer.from(bytes).toString('hex')).toBe(output);
  });

  itCoversItsSpecifications('random/specification');
});
