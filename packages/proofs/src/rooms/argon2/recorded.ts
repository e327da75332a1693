// The public calls of argon2.js whose use of memory is recorded. Derivations in slices do the same between turns of the event loop;
// argon2/argon2.test.ts of the library looks at their memory.
import { bound, bytes, key, message, type Library, type Recorded, type Scenario } from '../../claims/recorded.ts';

declare module '../../claims/recorded.ts' {
  interface Library {
    readonly argon2: typeof import('../../../../lanewise/src/argon2.ts');
  }
}

const made = (name: string, call: (library: Library) => unknown): Scenario => ({
  group: 'argon2',
  name,
  remains: 'nothing',
  call,
});

const scenarios = (): Scenario[] => [
  ...[0, 1, 128, 200].map((length) =>
    made(`a password of ${length} bytes`, ({ argon2 }) => argon2.argon2idSync(message(length), key, { m: 8, t: 1 })),
  ),
  ...(['argon2dSync', 'argon2iSync', 'argon2idSync'] as const).flatMap((name) =>
    [
      { m: 8, t: 1 },
      { m: 17, t: 2 },
      { m: 20, t: 2, p: 2, dkLen: 100 },
      { m: 8, t: 2, version: 0x10 as const },
    ].map((options) =>
      made(`${name}, ${JSON.stringify(options)}`, ({ argon2 }) =>
        argon2[name](bytes(64, 7), key, { ...options, secret: key, ad: bytes(20, 9) }),
      ),
    ),
  ),
];

export const argon2Recorded: Recorded = {
  groups: { argon2: ['argon2'] },
  doors: ['argon2'],
  async bindings() {
    const { argon2Kernel, argon2Instance } = await import('../../../../lanewise/src/argon2/binding.ts');
    return { argon2: bound(argon2Kernel, argon2Instance) };
  },
  scenarios,
};
