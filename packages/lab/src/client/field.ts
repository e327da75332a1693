/**
 * The contestants that can take part in an operation here: loaded once, and checked against a known answer before
 * anything is timed.
 */
import { equals, joined, type Output } from './bytes.ts';
import { messageOf } from './checks.ts';
import { caseOf, NODE_LIKE, randomWork, type Absence, type Cases, type ClientCase } from './contest.ts';
import type { Choice } from './contestants/lanewise.ts';
import { known } from './known.ts';
import type { Parameters } from './messages.ts';
import { place } from './place.ts';
import type { Random } from './random.ts';
import { outFor, type Entrant, type Operation, type Performer, type Work } from './operation.ts';

/** The contestants that a contest invites. */
export interface Who {
  readonly ours: readonly Choice[];
  /** Libraries; all of them, unless given. */
  readonly rivals?: readonly string[];
  /** Libraries that are left out. */
  readonly without?: readonly string[];
}

export const EVERYONE: Who = { ours: ['simd', 'scalar', 'js', 'native'] };
export const OURS: Who = { ...EVERYONE, rivals: [] };
export const AUTO: Who = { ours: ['auto'], rivals: [] };

/** Primitives that `@lanewise/native` has; all else would run on vectors of WebAssembly once more. */
const NATIVE = /ChaCha(?!8Rand)|Salsa20|secretbox|BLAKE3|Serpent|Adiantum|HPolyC/;

type Loaded = { readonly performers: readonly Performer[] } | { readonly reason: string };

const loaded = new Map<Entrant, Promise<Loaded>>();

const load = (entrant: Entrant): Promise<Loaded> =>
  known(loaded, entrant, () =>
    entrant.load().then(
      (performers) => ({ performers }),
      (error: unknown) => ({ reason: messageOf(error) }),
    ),
  );

/**
 * The verdict of the known answer: none if it was right, the fault if it was wrong, the reason if the operation is not
 * available here.
 */
type Verdict = { readonly fault?: string; readonly absence?: string };

const verdicts = new WeakMap<Performer, Promise<Verdict>>();

const verdictOn = (operation: Operation, performer: Performer): Promise<Verdict> =>
  known(verdicts, performer, () => answer(operation, performer));

async function answer(operation: Operation, performer: Performer): Promise<Verdict> {
  const { knownAnswer } = operation;
  const { key, nonce, data, expected } = knownAnswer;
  try {
    performer.contestant.prepare?.();
    if (performer.kind === 'native') {
      const timer = performer.start(knownAnswer);
      timer.time(1);
      const fault = timer.fault(expected);
      timer.end();
      return fault === undefined ? {} : { fault: `${fault} for the known answer` };
    }
    let output: Output = await (await performer.start(key, nonce))(data, outFor(operation, knownAnswer));
    // A performer with a fixed output length is measured only at that length; here the start of its output is compared.
    if (performer.takes) output = joined(output).subarray(0, expected.length);
    return equals(output, expected) ? {} : { fault: 'gives wrong bytes for the known answer' };
  } catch (error) {
    // A contestant that cannot do the operation has not given a wrong answer.
    return { absence: messageOf(error) };
  }
}

export interface Field {
  readonly performers: readonly Performer[];
  readonly absent: readonly Absence[];
  /** Performers that gave a wrong known answer. */
  readonly wrong: readonly { readonly performer: Performer; readonly fault: string }[];
}

/** The performers that can handle this many bytes. */
export async function fieldOf(operation: Operation, who: Who, bytes: number): Promise<Field> {
  const performers: Performer[] = [];
  const absent: Absence[] = [];
  const wrong: { performer: Performer; fault: string }[] = [];
  const invited = operation.entrants.filter(
    ({ library, nodeOnly }) =>
      (nodeOnly !== true || NODE_LIKE.includes(place())) &&
      (library === 'lanewise' ? who.ours.length > 0 : (who.rivals?.includes(library) ?? true)) &&
      !(who.without?.includes(library) ?? false),
  );
  for (const entrant of invited) {
    const result = await load(entrant);
    if ('reason' in result) {
      absent.push({ case: entrant.library, contestant: entrant.library, reason: result.reason });
      continue;
    }
    for (const performer of result.performers) {
      const { name, library, engine, unavailable } = performer.contestant;
      if (engine && !who.ours.includes(engine)) continue;
      if (engine === 'native' && !NATIVE.test(operation.primitive)) continue;
      if (performer.takes?.(bytes) === false) continue;
      if (unavailable !== undefined) {
        absent.push({ case: name, contestant: library, reason: unavailable });
        continue;
      }
      const { fault, absence } = await verdictOn(operation, performer);
      if (absence !== undefined) absent.push({ case: name, contestant: library, reason: absence });
      else if (fault !== undefined) wrong.push({ performer, fault });
      else performers.push(performer);
    }
  }
  return { performers, absent, wrong };
}

/** How the cases of contestants are called, and what sets them apart from others of the contest. */
interface Naming {
  readonly name?: (contestant: string) => string;
  readonly parameters?: Parameters;
}

/** The cases of all performers on random input of so many bytes. */
export const randomCases = async (
  operation: Operation,
  who: Who,
  bytes: number,
  random: Random,
  options?: Naming,
): Promise<Cases> => casesOf(operation, who, await randomWork(operation, bytes, random), bytes, options);

/**
 * The cases of all performers on the same input. A performer whose known answer was wrong is included: its check
 * reports the fault.
 */
export async function casesOf(
  operation: Operation,
  who: Who,
  work: Work,
  bytes: number,
  options: Naming = {},
): Promise<{ cases: ClientCase[]; absent: Absence[] }> {
  const { name = (contestant: string) => contestant, parameters } = options;
  const { performers, absent, wrong } = await fieldOf(operation, who, bytes);
  const made = (performer: Performer): Promise<ClientCase> =>
    caseOf(operation, performer, work, {
      id: name(performer.contestant.name),
      bytes,
      ...(parameters && { parameters }),
    });
  return {
    cases: [
      ...(await Promise.all(performers.map(made))),
      ...(await Promise.all(
        wrong.map(async ({ performer, fault }) => ({ ...(await made(performer)), fault: () => fault })),
      )),
    ],
    absent: absent.map((absence) => ({ ...absence, case: name(absence.case) })),
  };
}
