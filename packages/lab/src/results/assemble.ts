/** Assembles a result from the lines of a run as they come. It knows no files, because the page uses it as well. */
import { known } from '../client/known.ts';
import type { MessageOf, SamplesMessage } from '../client/messages.ts';
import type { Line } from './lines.ts';
import { encodeProbes, encodeSamples } from './samples.ts';
import {
  ResultError,
  type CaseRecord,
  type ContestRecord,
  type EngineRecord,
  type Header,
  type Message,
  type MissingRecord,
  type Result,
  type SampledRecord,
  type SessionRecord,
} from './schema.ts';

interface Session extends Pick<SessionRecord, 'engine' | 'seed' | 'startedAt'> {
  /** Contests that have begun, with the indices of their cases among all cases of the result. */
  readonly begun: Map<string, ReadonlyMap<string, number>>;
  readonly sampled: SampledRecord[];
  /** All others. */
  readonly messages: Message[];
}

/** The messages of a type, without the name of the type. */
const of = <T extends Message['type']>({ messages }: Session, type: T): readonly Omit<MessageOf<T>, 'type'>[] =>
  (messages.filter((message) => message.type === type) as MessageOf<T>[]).map(({ type: _, ...rest }) => rest);

export function assembly() {
  let run: Header | undefined;
  let ending: { endedAt: string; loadAfter?: number | undefined } | undefined;
  const engines: EngineRecord[] = [];
  const missing: MissingRecord[] = [];
  const contests = new Map<string, ContestRecord>();
  const cases: CaseRecord[] = [];
  const places = new Map<string, number>();
  const sessions: Session[] = [];

  const placeOf = (description: CaseRecord): number =>
    known(places, JSON.stringify(description), () => cases.push(description) - 1);

  const take = ({ begun, sampled, messages }: Session, message: Message): void => {
    if (message.type === 'contest-start') {
      if (!contests.has(message.contest.id)) contests.set(message.contest.id, message.contest);
      begun.set(message.contest.id, new Map(message.cases.map((each) => [each.id, placeOf(each)])));
    } else if (message.type === 'samples') {
      const known = begun.get(message.contest);
      if (!known) throw new ResultError(`there are samples of "${message.contest}", which has not begun`);
      sampled.push(encoded(message, known));
    } else messages.push(message);
  };

  return {
    add(line: Line): void {
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
          sessions.push({ engine, seed, startedAt, begun: new Map(), sampled: [], messages: [] });
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
    /** The result so far. */
    result(): Result {
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
        sessions: sessions.map(recordOf),
      };
    },
  };
}

function recordOf(session: Session): SessionRecord {
  const { engine, seed, startedAt, sampled } = session;
  const [[hello], [done]] = [of(session, 'hello'), of(session, 'done')];
  return {
    engine,
    seed,
    startedAt,
    ...(hello && { hello }),
    canaries: of(session, 'canary'),
    contests: sampled,
    faults: of(session, 'fault'),
    unavailable: of(session, 'unavailable'),
    errors: of(session, 'error'),
    ...(done && { done }),
  };
}

/** The samples of a contest, whose cases have these places. */
function encoded(message: SamplesMessage, places: ReadonlyMap<string, number>): SampledRecord {
  const { contest, milliseconds, cycle, probe, nanoseconds, batches } = message;
  const least = probe && leastOf(Object.values(probe.nanoseconds).flat());
  return {
    contest,
    milliseconds,
    cycle: encodeSamples(cycle),
    ...(probe && least && { probe: { passes: probe.passes, cycle: probe.cycle, least } }),
    cases: Object.entries(nanoseconds).map(([id, values]): SampledRecord['cases'][number] => {
      const place = places.get(id);
      if (place === undefined) throw new ResultError(`"${contest}" has no case "${id}"`);
      const around = probe?.nanoseconds[id];
      if (probe && !around) throw new ResultError(`"${contest}" has no probes of "${id}"`);
      return {
        case: place,
        batch: batches[id] ?? 1,
        nanoseconds: encodeSamples(values),
        ...(around && least && { probes: encodeProbes(around, least) }),
      };
    }),
  };
}

/** Undefined if there are no values, or if the clock showed no time for one. */
function leastOf(values: readonly number[]): number | undefined {
  const least = values.reduce((x, y) => Math.min(x, y), Infinity);
  return least > 0 && least < Infinity ? least : undefined;
}
