/** Assembles a result from the lines of a run as they come. It knows no files, because the page uses it as well. */
import type { Message } from '../client/messages.ts';
import { encodeProbes, encodeSamples } from './samples.ts';
import {
  ResultError,
  type CaseRecord,
  type EngineRecord,
  type Header,
  type MissingRecord,
  type Result,
  type SampledRecord,
  type SessionRecord,
} from './schema.ts';

/**
 * The lines, in this order: the run, its engines, then sessions with their messages, interleaved in any way; the end.
 */
export type Line =
  | { readonly line: 'run'; readonly run: Header }
  | { readonly line: 'engine'; readonly engine: EngineRecord }
  | { readonly line: 'missing'; readonly engine: MissingRecord }
  /** `session` counts from 0. */
  | { readonly line: 'session'; readonly session: number; readonly engine: string; seed: number; startedAt: string }
  | { readonly line: 'message'; readonly session: number; readonly message: Message }
  | { readonly line: 'end'; readonly endedAt: string; readonly loadAfter?: number | undefined };

export interface Assembly {
  add(line: Line): void;
  /** The result so far. */
  result(): Result;
}

/** Contests of a session that have begun, with the indices of their cases among all cases of the result. */
type Begun = Map<string, ReadonlyMap<string, number>>;

export function assembly(): Assembly {
  let run: Header | undefined;
  let ending: { endedAt: string; loadAfter?: number | undefined } | undefined;
  const engines: EngineRecord[] = [];
  const missing: MissingRecord[] = [];
  const contests = new Map<string, Result['contests'][number]>();
  const cases: CaseRecord[] = [];
  const places = new Map<string, number>();
  const sessions: { readonly record: SessionRecord; readonly begun: Begun }[] = [];

  const placeOf = (description: CaseRecord): number => {
    const key = JSON.stringify(description);
    let place = places.get(key);
    if (place === undefined) {
      place = cases.push(description) - 1;
      places.set(key, place);
    }
    return place;
  };

  const take = ({ record, begun }: (typeof sessions)[number], message: Message): void => {
    switch (message.type) {
      case 'hello': {
        const { type: _, ...rest } = message;
        record.hello = structuredClone(rest) as NonNullable<SessionRecord['hello']>;
        break;
      }
      case 'canary':
        record.canaries.push(without(message));
        break;
      case 'contest-start':
        if (!contests.has(message.contest.id)) contests.set(message.contest.id, message.contest);
        begun.set(message.contest.id, new Map(message.cases.map((each) => [each.id, placeOf(each)])));
        break;
      case 'samples': {
        const known = begun.get(message.contest);
        if (!known) throw new ResultError(`there are samples of "${message.contest}", which has not begun`);
        const { probe } = message;
        const least = probe && leastOf(Object.values(probe.nanoseconds).flat());
        record.contests.push({
          contest: message.contest,
          milliseconds: message.milliseconds,
          cycle: encodeSamples(message.cycle),
          ...(probe && least && { probe: { passes: probe.passes, cycle: probe.cycle, least } }),
          cases: Object.entries(message.nanoseconds).map(([id, values]): SampledRecord['cases'][number] => {
            const place = known.get(id);
            if (place === undefined) throw new ResultError(`"${message.contest}" has no case "${id}"`);
            const around = probe?.nanoseconds[id];
            if (probe && !around) throw new ResultError(`"${message.contest}" has no probes of "${id}"`);
            return {
              case: place,
              batch: message.batches[id] ?? 1,
              nanoseconds: encodeSamples(values),
              ...(around && least && { probes: encodeProbes(around, least) }),
            };
          }),
        });
        break;
      }
      case 'fault':
        record.faults.push(without(message));
        break;
      case 'unavailable':
        record.unavailable.push(without(message));
        break;
      case 'error':
        record.errors.push(without(message));
        break;
      case 'done':
        record.done = without(message);
        break;
      case 'progress':
        break;
    }
  };

  return {
    add(line) {
      if (line.line !== 'run' && !run) throw new ResultError('its first line does not describe a run');
      switch (line.line) {
        case 'run':
          run = line.run;
          break;
        case 'engine':
          engines.push(line.engine);
          break;
        case 'missing':
          missing.push(line.engine);
          break;
        case 'session': {
          const { session, engine, seed, startedAt } = line;
          if (session !== sessions.length)
            throw new ResultError(`session ${session} begins, where ${sessions.length} is the next`);
          const lists = { canaries: [], contests: [], faults: [], unavailable: [], errors: [] };
          sessions.push({ record: { engine, seed, startedAt, ...lists }, begun: new Map() });
          break;
        }
        case 'message': {
          const session = sessions[line.session];
          if (!session) throw new ResultError(`there is a message of session ${line.session}, which has not begun`);
          take(session, line.message);
          break;
        }
        case 'end':
          ending = line;
          break;
      }
    },
    result() {
      if (!run) throw new ResultError('it is empty');
      const { loadAfter, endedAt } = ending ?? {};
      return {
        ...run,
        host: { ...run.host, ...(loadAfter !== undefined && { loadAfter }) },
        ...(endedAt !== undefined && { endedAt }),
        engines,
        missing,
        contests: [...contests.values()],
        cases,
        sessions: sessions.map(({ record }) => record),
      };
    },
  };
}

/** Undefined if there are no values, or if the clock showed no time for one. */
function leastOf(values: readonly number[]): number | undefined {
  const least = values.reduce((x, y) => Math.min(x, y), Infinity);
  return least > 0 && least < Infinity ? least : undefined;
}

function without<M extends Message>(message: M): Omit<M, 'type'> {
  const { type: _, ...rest } = message;
  return rest;
}
