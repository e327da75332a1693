/** The contests of the study of BLAKE3 in steps: every form at the lengths of the case study, and SHA-256. */
import { merged, type Cases, type Context } from '../../client/contest.ts';
import { EVERYONE, randomCases, type Who } from '../../client/field.ts';
import { studyAbout } from '../../client/study-contests.ts';
import type { RoomContests, StudyContest } from '../../client/room.ts';
import { sha256 } from '../others/operations.ts';
import { faultsOfSteps } from './answers.ts';
import { blake3Ladder } from './operations.ts';

const KIB = 1024;
/** One in plain JavaScript, and those of the platform. */
const SHA256: Who = { ours: [], rivals: ['noble', 'WebCrypto', 'node:crypto'] };
/** Measured where the clock is coarse as well. */
const ESSENTIAL = 64 * KIB;
/**
 * JavaScriptCore takes most of a second for the best code of step 9, which is one long function. The rounds are few, because the cases are
 * many.
 */
const PLAN = { warmUpMilliseconds: 80, rounds: [6, 8] } as const;
const LENGTHS = [96, 512, KIB, 32 * KIB, ESSENTIAL, 256 * KIB, KIB * KIB];

async function prepare(length: number, { random }: Context): Promise<Cases> {
  const faults = await faultsOfSteps();
  const { cases, absent } = await merged([
    randomCases(blake3Ladder, EVERYONE, length, random),
    randomCases(sha256, SHA256, length, random, { name: (contestant) => `${contestant}, ${sha256.primitive}` }),
  ]);
  return {
    cases: cases.map((item) => {
      const fault = faults.get(item.id);
      return fault === undefined ? item : { ...item, fault: () => fault };
    }),
    absent,
  };
}

const contest = (length: number): StudyContest =>
  studyAbout(blake3Ladder, `${blake3Ladder.id}/${length}`, {
    title: `BLAKE3 in steps, ${length} bytes`,
    parameters: { length },
    essential: length === ESSENTIAL,
    plan: PLAN,
    prepare: (context) => prepare(length, context),
  });

export const contests: RoomContests = { studyContests: LENGTHS.map(contest) };
