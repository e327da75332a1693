/**
 * Contests of the study of D. J. Bernstein's "Salsa20 speed" (2005): the questions of its section 3 for Salsa20, with ChaCha20
 * and AES beside it where the lab's axes do not have them.
 */
import { merged, randomWork, type Cases } from '../../client/contest.ts';
import { AUTO, randomCases, type Who } from '../../client/field.ts';
import { kernelCasesWithCode } from '../../client/kernel-cases.ts';
import { casesAtOffsets, casesInCompany, casesInTurns, keysOf } from '../../client/variants.ts';
import { studyAbout } from '../../client/study-contests.ts';
import type { Operation } from '../../client/operation.ts';
import type { StudyContest } from '../../client/room.ts';
import { chacha20 } from '../chacha/operations.ts';
import { aes, aesCtr, aesGcm } from '../others/operations.ts';
import { salsa20, secretbox } from './operations.ts';

/** AES by the platform, where it has any, and in plain JavaScript. */
const AES: Who = { ours: [], rivals: ['node:crypto', 'WebCrypto', 'noble'] };
/** AES, one call after the other. */
const SYNCHRONOUS_AES: Who = { ours: [], rivals: ['node:crypto', 'noble'] };

const ciphers: readonly (readonly [Operation, Who])[] = [
  [salsa20, AUTO],
  [chacha20, AUTO],
];
const withAes = (who: Who): typeof ciphers => [...ciphers, [aesCtr, who]];

const named =
  ({ primitive }: Operation) =>
  (contestant: string): string =>
    `${contestant}, ${primitive}`;

const contest = (
  id: string,
  title: string,
  length: number,
  prepare: StudyContest['prepare'],
  plan?: StudyContest['plan'],
): StudyContest =>
  studyAbout(salsa20, `salsa20-speed/${id}`, {
    title: `Salsa20 beside ChaCha20 and AES-256: ${title}`,
    parameters: { length },
    ...(plan && { plan }),
    prepare,
  });

/** The cases of each cipher, made in turns so that a seed gives the same data every time. */
async function ofEach(all: typeof ciphers, cases: (operation: Operation, who: Who) => Promise<Cases>): Promise<Cases> {
  const found: Cases[] = [];
  for (const [operation, who] of all) found.push(await cases(operation, who));
  return merged(found);
}

const LENGTHS = [8, 64, 256, 576, 1536, 4096, 16384, 65536];
const lengths = LENGTHS.map((length) =>
  contest(`length/${length}`, `${length} bytes`, length, ({ random }) =>
    ofEach(withAes(AES), (operation, who) => randomCases(operation, who, length, random, { name: named(operation) })),
  ),
);

const PAGE = 1024;
const alignment = contest(
  `alignment/${PAGE}`,
  "where the caller's bytes start",
  PAGE,
  ({ random }) =>
    ofEach(withAes(SYNCHRONOUS_AES), async (operation, who) =>
      casesAtOffsets(operation, who, await randomWork(operation, PAGE, random), named(operation)),
    ),
  { rounds: [12, 16], budgetMilliseconds: 100 },
);

const SHORT = 64;
const COUNTS = [1, 16, 256, 4096, 65536, 2 ** 20];
const keys = contest(
  `keys/${SHORT}`,
  'keys in turns',
  SHORT,
  async ({ random }) => {
    const all = keysOf(COUNTS.at(-1)!, aesCtr.knownAnswer.key.length, random);
    return ofEach(withAes(SYNCHRONOUS_AES), async (operation, who) =>
      casesInTurns(operation, who, await randomWork(operation, SHORT, random), all, COUNTS, named(operation)),
    );
  },
  { rounds: [8, 12], budgetMilliseconds: 60 },
);

const CALL = 4096;
const context = contest(
  `context/${CALL}`,
  'one call in different company',
  CALL,
  ({ random, hooks }) =>
    ofEach(withAes(SYNCHRONOUS_AES), async (operation, who) =>
      casesInCompany(operation, who, await randomWork(operation, CALL, random), hooks.now, named(operation)),
    ),
  { rounds: [20, 20], budgetMilliseconds: 0 },
);

/** The kernels of the library with the bytes of their modules, which have secretbox, too. */
const code = contest(`code/salsa20/${CALL}`, 'speed and the bytes of code', CALL, async (session) => {
  const { salsaKernels } = await import('./kernel-study.ts');
  const { random, surroundings } = session;
  return kernelCasesWithCode(salsa20, salsaKernels, await randomWork(salsa20, CALL, random), surroundings);
});

/** AES-256-GCM the other way: the sealed message is its input. */
const aesGcmOpen: Operation = {
  ...aesGcm,
  id: 'aes256gcm/open',
  operation: 'open',
  async work(message, key, nonce) {
    const { data, expected } = await aesGcm.work(message, key, nonce);
    return { key, nonce, data: expected, expected: data };
  },
  entrants: aes('gcmOpen'),
  knownAnswer: {
    ...aesGcm.knownAnswer,
    data: aesGcm.knownAnswer.expected,
    expected: aesGcm.knownAnswer.data,
  },
};

const MESSAGE = 65536;
const direction = contest(`direction/${MESSAGE}`, 'sealing and opening', MESSAGE, ({ random }) =>
  ofEach(
    [
      [secretbox.seal, AUTO],
      [secretbox.open, AUTO],
      [aesGcm, AES],
      [aesGcmOpen, AES],
    ],
    (operation, who) =>
      randomCases(operation, who, MESSAGE, random, {
        name: (contestant) => `${contestant}, ${operation.primitive}, ${operation.operation}`,
      }),
  ),
);

export const studyContests: readonly StudyContest[] = [...lengths, alignment, keys, context, code, direction];
