// The public calls of poly1305.js whose use of memory is recorded.
import { ANY, bound, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly poly1305: typeof import('../../../../lanewise/src/poly1305.ts');
  }
}

const made = (name: string, call: (library: Library) => unknown): Scenario => ({
  group: 'Poly1305',
  name,
  remains: 'nothing',
  call,
});

function scenarios(): Scenario[] {
  const lengths = [0, 1, 15, 16, 17, 64, 1000, 5000, 65_279, 65_280, 65_281, 200_000, ...ANY];
  return lengths.flatMap((length) => [
    made(`${length} bytes`, ({ poly1305: { poly1305 } }) => poly1305(message(length), key)),
    made(`update, ${length} bytes`, ({ poly1305: { poly1305 } }) => poly1305.create(key).update(message(length))),
    made(`5 bytes, ${length} bytes, digest`, ({ poly1305: { poly1305 } }) =>
      poly1305.create(key).update(message(5)).update(message(length)).digest(),
    ),
  ]);
}

export const poly1305Recorded: Recorded = {
  groups: { poly1305: ['Poly1305'] },
  doors: ['poly1305'],
  async bindings() {
    const { poly1305Kernel, poly1305Instance } = await import('../../../../lanewise/src/poly1305/binding.ts');
    return { poly1305: bound(poly1305Kernel, poly1305Instance) };
  },
  scenarios,
};
