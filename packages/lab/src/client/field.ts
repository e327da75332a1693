/** Who takes part in an operation here: loaded once, and held against a known answer before anything else. */
import { equals, joined, type Output } from './bytes.ts';
import { messageOf } from './checks.ts';
import { caseOf, NODE_LIKE, type Absence, type ClientCase } from './contest.ts';
import type { Choice } from './contestants/lanewise.ts';
import type { Parameters } from './messages.ts';
import { place } from './place.ts';
import type { Entrant, Operation, Performer, Work } from './operation.ts';

/** Whom a contest invites. */
export interface Who {
  readonly ours: readonly Choice[];
  /** Libraries; everybody, unless said. */
  readonly rivals?: readonly string[];
  /** Not these. */
  readonly without?: readonly string[];
}

export const EVERYONE: Who = { ours: ['simd', 'scalar', 'js'] };
export const OURS: Who = { ours: ['simd', 'scalar', 'js'], rivals: [] };
export const AUTO: Who = { ours: ['auto'], rivals: [] };

type Loaded = { readonly performers: readonly Performer[] } | { readonly reason: string };

const loaded = new Map<Entrant, Promise<Loaded>>();

function load(entrant: Entrant): Promise<Loaded> {
  let loading = loaded.get(entrant);
  if (!loading) {
    loading = entrant.load().then(
      (performers) => ({ performers }),
      (error: unknown) => ({ reason: messageOf(error) }),
    );
    loaded.set(entrant, loading);
  }
  return loading;
}

/** What the known answer showed: nothing, a wrong answer, or that there is no such thing here. */
type Verdict = { readonly fault?: string; readonly absence?: string };

const verdicts = new WeakMap<Performer, Promise<Verdict>>();

function verdictOn(operation: Operation, performer: Performer): Promise<Verdict> {
  let verdict = verdicts.get(performer);
  if (!verdict) {
    verdict = answer(operation, performer);
    verdicts.set(performer, verdict);
  }
  return verdict;
}

async function answer({ knownAnswer }: Operation, performer: Performer): Promise<Verdict> {
  const { key, nonce, data, room, expected } = knownAnswer;
  try {
    performer.contestant.prepare?.();
    if (performer.kind === 'native') {
      const timer = performer.start(knownAnswer);
      timer.time(1);
      const fault = timer.fault(expected);
      timer.end();
      return fault === undefined ? {} : { fault: `${fault} for the known answer` };
    }
    let output: Output = await (await performer.start(key, nonce))(data, new Uint8Array(room));
    // What gives more than was asked for is measured only where as much is asked for.
    if (performer.takes) output = joined(output).subarray(0, expected.length);
    return equals(output, expected) ? {} : { fault: 'gives wrong bytes for the known answer' };
  } catch (error) {
    // Who cannot do it has not given a wrong answer.
    return { absence: messageOf(error) };
  }
}

export interface Field {
  readonly performers: readonly Performer[];
  readonly absent: readonly Absence[];
  /** Those that gave a wrong known answer. */
  readonly wrong: readonly { readonly performer: Performer; readonly fault: string }[];
}

/** Those that can do so many bytes. */
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

/** Cases of all of them on one work, those that were wrong included: they say so when asked. */
export async function casesOf(
  operation: Operation,
  who: Who,
  work: Work,
  bytes: number,
  options: { readonly name?: (contestant: string) => string; readonly parameters?: Parameters } = {},
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
