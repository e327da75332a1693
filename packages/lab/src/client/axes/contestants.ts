/** Contestants side by side: all of them, at the lengths of the tables; in each direction; kernels beside the public API and each other. */
import { about, merged, randomWork, type Cases, type ClientContest, type Context } from '../contest.ts';
import { casesOf, EVERYONE, randomCases, type Who } from '../field.ts';
import { kernelCases } from '../kernel-cases.ts';
import { THOROUGH } from '../kinds.ts';
import type { Operation } from '../operation.ts';
import { entries, formsOf, studyForms } from '../rooms.ts';

/** All entrants of an operation, and if there is time those of the operations that people choose instead. */
const everyone = (operation: Operation, length: number, who: Who, { kind, random }: Context): Promise<Cases> =>
  merged([
    randomCases(operation, who, length, random),
    ...(kind === 'quick' ? [] : (operation.beside ?? [])).map((other) =>
      randomCases(other, who, length, random, { name: (contestant) => `${contestant}, ${other.primitive}` }),
    ),
  ]);

/** The main axis, which runs in every engine. */
export const platforms: readonly ClientContest[] = entries(({ platforms: all }) => all).map(
  ({ operation, length, kinds, essential = false, without }) =>
    about('platforms', operation, length, {
      title: `${operation.primitive}, ${operation.operation}, ${length} bytes`,
      kinds,
      essential,
      prepare: (context) => everyone(operation, length, { ...EVERYONE, ...(without && { without }) }, context),
    }),
);

const IN_BOTH: Who = { ...EVERYONE, rivals: ['noble', 'libsodium.js', 'node:crypto', 'WebCrypto'] };

/** Sealing, opening, and rejecting a message with one flipped bit. */
export const direction: readonly ClientContest[] = entries(({ direction: all }) => all).map(
  ({ name, directions, length, kinds }) =>
    about('direction', { id: name, primitive: directions.seal.primitive, operation: 'seal, open, reject' }, length, {
      title: `${directions.seal.primitive}, ${length} bytes: sealing, opening, and refusing a forgery`,
      kinds,
      prepare: ({ random }) =>
        merged(
          Object.values(directions).map((operation) =>
            randomCases(operation, IN_BOTH, length, random, {
              name: (contestant) => `${contestant}, ${operation.operation}`,
            }),
          ),
        ),
    }),
);

/** Kernels over linear memory beside the public API, which checks arguments, copies in and out, and wipes. */
export const boundary: readonly ClientContest[] = entries(({ boundary: all }) => all).flatMap(
  ({ operation, lengths, essential, rank }) =>
    lengths.map((length) =>
      about('boundary', operation, length, {
        title: `${operation.primitive}, ${operation.operation}, ${length} bytes: kernel and public API`,
        kinds: THOROUGH,
        essential: length === essential,
        rank,
        async prepare({ random, surroundings }) {
          const work = await randomWork(operation, length, random);
          return merged([
            kernelCases(operation, await formsOf(operation), work, surroundings),
            casesOf(operation, { ours: ['simd', 'scalar'], rivals: [] }, work, length),
          ]);
        },
      }),
    ),
);

/**
 * Kernels kept for study: the number of blocks at once, where their words are kept, how words are rotated, and how the
 * MAC is combined with the cipher.
 */
export const kernels: readonly ClientContest[] = entries(({ studies }) => studies).map(
  ({ name, operation, length, title, studies, kinds }) =>
    about(`kernels/${name}`, operation, length, {
      title: `${operation.primitive}, ${length} bytes in linear memory: ${title}`,
      kinds,
      async prepare({ random, surroundings }) {
        const all = [...(await formsOf(operation)), ...(await studyForms(studies))];
        const unique = [...new Map(all.map((form) => [form.name, form])).values()];
        return kernelCases(operation, unique, await randomWork(operation, length, random), surroundings);
      },
    }),
);
