// Kernels as C that gcc and clang compile: valgrind finds no branch and no address that depends on memory, but those that are planted.
import { describe, expect, it } from 'vitest';
import { kernels } from '../src/kernels.ts';
import { memchecked } from '../src/machine-code/translated/memcheck.ts';
import { tools } from '../src/machine-code/translated/tools.ts';
import { leaking, leaks, withLeak } from './machine-code-leaks.ts';

const found = tools();
if ('missing' in found) console.log(`kernels as C are not looked at by valgrind: ${found.missing} is missing`);
const compilers = 'missing' in found ? [] : found.compilers;

describe.each(compilers)('%s', (compiler) => {
  if ('missing' in found) return;

  it.each(kernels)('$name: nothing depends on a secret', (kernel) => {
    const { errors, divisions, reached } = memchecked(kernel, found, compiler, 16);
    expect({ errors, divisions }).toEqual({ errors: [], divisions: 0 });
    expect(reached).toBeGreaterThan(0.9);
  });

  describe.each(leaking)('%s', (name) => {
    it.each(leaks)('a %s that is planted is found', (what) => {
      const { errors, divisions } = memchecked(withLeak(name, what), found, compiler, 1);
      // memcheck says nothing of a division, but of all kernels none has one.
      expect([errors.length > 0, divisions > 0]).toEqual([what !== 'division', what === 'division']);
    });
  });
});
