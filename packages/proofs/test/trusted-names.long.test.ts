/** What lints and claims take for granted by its name: where wiping begins, and that comparers look at every byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SETS, secretsFrom, STAGE } from '../../lanewise/src/keystream/map.ts';
import { Failure } from '../src/claims/claim.ts';
import { shortcuts } from '../src/lints/comparers.ts';
import { kernelOf } from '../src/kernels.ts';
import { chachaEveryLength } from '../src/rooms/chacha/every-length.ts';
import { secretboxEveryLength } from '../src/rooms/salsa/every-length.ts';
import { forgetTerms } from '../src/terms/term.ts';

afterEach(forgetTerms);

describe('secretsFrom', () => {
  const open = (name: string, from: (length: number) => number) => {
    const kernel = kernelOf(name);
    const claims =
      kernel.family === 'chacha' ? chachaEveryLength(kernel, from) : secretboxEveryLength(kernel, 'salsa', from);
    return claims.find(({ claim }) => claim.startsWith('every length: open'))!;
  };

  it.each(['chacha long scalar', 'chacha long relaxed', 'salsa long swizzle'])(
    'of %s, changed at one length, is refuted',
    (name) => {
      expect(() => open(name, secretsFrom).prove()).not.toThrow();
      expect(() => open(name, (length) => (length === 6007 ? STAGE : secretsFrom(length))).prove()).toThrow(Failure);
    },
  );

  it('is where sets begin, for a message that has any', () => {
    expect(() => open('chacha long relaxed', (length) => (length === 6007 ? SETS + 1024 : SETS)).prove()).toThrow(
      'is not wiped by the caller',
    );
  });
});

const library = join(import.meta.dirname, '../../lanewise/src');
const sourceOf = (file: string): string => readFileSync(join(library, file), 'utf8');

describe('comparers look at every byte', () => {
  const [bytes, blocks] = ['calls/bytes.ts', 'serpent/blocks.ts'].map(sourceOf);

  it('equalBytes', () => {
    expect(shortcuts(bytes, 'equalBytes')).toEqual([]);
    // N39
    const loop = /for \(let i = 0; i < length; i\+\+\) (?<step>.*;)/.exec(bytes)!;
    const early = bytes.replace(loop[0], 'for (let i = 0; i < length; i++) if (x[i] !== y[i]) return false;');
    expect(shortcuts(early, 'equalBytes')).not.toEqual([]);
  });

  it('the padding of CBC', () => {
    expect(shortcuts(blocks, 'paddingAt', true)).toEqual(['return count & ~wrong;']);
    // N40
    const early = blocks.replace('i <= BLOCK_BYTES; i++', 'i <= BLOCK_BYTES && !wrong; i++');
    expect(early).not.toBe(blocks);
    expect(shortcuts(early, 'paddingAt', true)).not.toEqual(['return count & ~wrong;']);
  });
});
