/** Contents are found again if and only if they are equal, however many there are. */
import { describe, expect, it } from 'vitest';
import { Arena } from '../src/terms/arena.ts';
import { generator } from './terms-random.ts';

interface Node {
  readonly id: number;
  readonly maybe: number;
  readonly place: number;
}

/** A node with the next id, at the place that the arena has for it. */
function nodes(): (place: number) => Node {
  let id = 100;
  return (place) => ({ id: id++, maybe: 0xffffffff, place });
}

describe('an arena', () => {
  it('tells apart hundreds of thousands of contents, of which some have the same hash', () => {
    const COUNT = 400_000;
    const random = generator(5);
    const make = nodes();
    const arena = new Arena<Node>();
    const known = new Map<string, Node>();
    const leaves = Array.from({ length: 50 }, (_, i) => arena.add(make(arena.write(1, [i]))));
    let wrong = 0;
    for (let i = 0; i < COUNT; i++) {
      const shape = random(4);
      const operands = Array.from({ length: random(3) }, () => leaves[random(50)]);
      const numbers = Array.from({ length: random(3) }, () => random(1 << 16) * 65537);
      const key = `${shape} ${operands.map(({ id }) => id).join()} ${numbers.join()}`;
      const expected = known.get(key);
      const found = arena.find(shape, operands, numbers);
      if (found !== expected) wrong++;
      if (!expected && !found) known.set(key, arena.keep(make(arena.place), operands));
    }
    expect(wrong).toBe(0);
    // By the birthday bound, some of this many contents share a hash of 32 bits, whatever the hash is.
    expect(known.size ** 2 / 2 ** 33).toBeGreaterThan(5);
  });

  it('gives back what it was given', () => {
    const make = nodes();
    const older = new Arena<Node>();
    const foreign = older.add(make(older.write(0, [])));
    const arena = new Arena<Node>();
    const leaf = arena.add(make(arena.write(0, [7])));
    expect(arena.find(1, [leaf, foreign, leaf], [0xffffffff, 5])).toBeUndefined();
    const kept = arena.keep(make(arena.place), [leaf, foreign, leaf]);
    expect(arena.find(1, [leaf, foreign, leaf], [0xffffffff, 5])).toBe(kept);
    expect(arena.operands(kept.place)).toEqual([leaf, foreign, leaf]);
    expect(arena.numbers(kept.place)).toEqual([0xffffffff, 5]);
    expect(arena.numbers(leaf.place)).toEqual([7]);
    for (const [shape, operands, numbers] of [
      [2, [leaf, foreign, leaf], [0xffffffff, 5]],
      [1, [foreign, leaf, leaf], [0xffffffff, 5]],
      [1, [leaf, foreign, leaf], [5, 0xffffffff]],
      [1, [leaf, foreign], [0xffffffff, 5]],
      [1, [leaf, foreign, leaf], [0xffffffff]],
    ] as const)
      expect(arena.find(shape, operands, numbers)).toBeUndefined();
  });
});
