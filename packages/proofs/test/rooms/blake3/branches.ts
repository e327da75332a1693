/** Calls of the room's public modules that nothing is recorded of. */
import { expect } from 'vitest';
import { destroyed, key, none, ones, type Call } from '../../branch-calls.ts';

export const ordinary: readonly Call[] = [
  ({ blake3 }) => blake3.blake3.create().xofInto(none),
  ({ blake3 }) => blake3.hashMany([ones(10), ones(2000)], { dkLen: 100 }),
  ({ blake3 }) => {
    const hasher = blake3.blake3.create().update(ones(10));
    hasher.xof(10);
    hasher.seek(2 ** 40).xof(10);
    return hasher.reset().reset().count;
  },
  ({ blake3 }) => {
    // Of one subtree of 2^6 chunks, which becomes one of 2^44.
    const state = blake3.blake3.create().update(ones(65_537)).save();
    state.set([0, 0, 0, 0, 0, 16], 8);
    expect(blake3.blake3.load(state).count).toBe(2n ** 54n + 1n);
  },
  ({ blake3: { blake3, subtree, merge } }) => {
    const [left, right] = [0, 1].map((i) => subtree(ones(1024), { offset: 1024 * i }));
    return [merge(left, right), blake3(ones(2048))];
  },
];

export const refused: readonly Call[] = [
  ({ blake3 }) => blake3.hashMany('text' as unknown as Uint8Array[]),
  ({ blake3 }) => destroyed(blake3.blake3.create(), (hasher) => hasher.update(none)),
  ({ blake3 }) =>
    blake3.blake3
      .create()
      .seek(2n ** 64n - 1n)
      .xof(2),
  ...[null, 'text', {}].map(
    (part): Call =>
      ({ blake3: { merge, subtree } }) =>
        merge(subtree(ones(1024), { offset: 0 }), part as unknown as ReturnType<typeof subtree>),
  ),
  ({ blake3: { merge, subtree } }) => merge(subtree(ones(1024), { offset: 0 }), subtree(ones(1024), { offset: 2048 })),
  ({ blake3: { merge, subtree } }) =>
    merge(subtree(ones(1024), { offset: 0 }), subtree(ones(1024), { offset: 1024, key })),
  ({ blake3: { merge, subtree } }) =>
    merge(subtree(ones(1024), { offset: 1024 }), subtree(ones(1024), { offset: 2048 })),
  ({ blake3: { merge, subtree } }) => merge(subtree(ones(100), { offset: 0 }), subtree(ones(100), { offset: 1024 })),
  ({ blake3: { merge, subtree } }) => merge(subtree(ones(3072), { offset: 0 }), subtree(ones(1024), { offset: 3072 })),
];
