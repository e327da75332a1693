/**
 * A run: fresh sessions of every engine, one after the other, in random order. A failure of one does not stop the
 * others.
 */
import type { Message, Plan, Task } from '../client/messages.ts';
import { seeded, shuffled } from '../client/random.ts';
import { messageOf } from '../client/checks.ts';
import type { Engine } from '../engines/engine.ts';

export interface Entrant {
  readonly engine: Engine;
  readonly contests: readonly string[];
  /** The file that its sessions load. */
  readonly client: string;
}

export interface Terms {
  readonly kind: Task['kind'];
  readonly plan: Plan;
  readonly seed: number;
  /** Sessions of each engine. */
  readonly sessions: number;
  /** A second session of an engine is not started if it would end later than this. */
  readonly atMostMilliseconds?: number | undefined;
  /** A session that takes longer counts as hung. */
  readonly limitMilliseconds: number;
  /** A session that sends no message for so long counts as hung, too. */
  readonly silenceMilliseconds: number;
}

/** Receives the events of a run; times are in milliseconds. */
export interface Listener {
  /** Returns a function that receives the messages of the session. */
  readonly begin: (entrant: Entrant, session: number, seed: number) => (message: Message) => void;
  /** `failure` is a sentence, or undefined. A session that was stopped from outside has no end. */
  readonly end: (entrant: Entrant, milliseconds: number, failure: string | undefined) => void;
  /** The engine is not started again. */
  readonly giveUp: (entrant: Entrant, reason: string) => void;
}

/** After this many failures in a row, an engine is not started again. */
const FAILURES = 2;

export async function conduct(
  entrants: readonly Entrant[],
  terms: Terms,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  // All seeds are drawn first, so that they do not depend on which engines take part.
  const seeds = seedsOf(terms);
  const random = seeded(terms.seed);
  const failures = new Map<Entrant, number>();
  const took = new Map<Entrant, number>();

  for (const [session, seed] of seeds.entries()) {
    for (const entrant of shuffled(entrants, random)) {
      if (signal.aborted) return;
      if ((failures.get(entrant) ?? 0) >= FAILURES) continue;
      const begun = performance.now();
      const late = begun - start + (took.get(entrant) ?? 0) > (terms.atMostMilliseconds ?? Infinity);
      if (session > 0 && late) continue;

      const failure = await oneSession(entrant, seed, terms, listener.begin(entrant, session, seed), signal);
      const milliseconds = performance.now() - begun;
      took.set(entrant, milliseconds);
      if (signal.aborted) return;
      listener.end(entrant, milliseconds, failure);
      failures.set(entrant, failure === undefined ? 0 : (failures.get(entrant) ?? 0) + 1);
      if (failures.get(entrant) === FAILURES && session + 1 < terms.sessions) {
        listener.giveUp(entrant, `it failed ${FAILURES} times in a row, and is not started again`);
      }
    }
  }
}

export function seedsOf({ seed, sessions }: Pick<Terms, 'seed' | 'sessions'>): number[] {
  const random = seeded(~seed);
  return Array.from({ length: sessions }, () => Math.floor(random() * 2 ** 32));
}

/** Runs a session. The reason of its failure, or undefined if it came to its end. */
async function oneSession(
  { engine, contests, client }: Entrant,
  seed: number,
  { kind, plan, limitMilliseconds, silenceMilliseconds }: Terms,
  onMessage: (message: Message) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  const task: Task = { seed, kind, plan, contests };
  const silence = new AbortController();
  const said = { done: false, error: undefined as string | undefined };
  const hang = (): void => {
    said.error = `it said nothing for ${(silenceMilliseconds / 1000).toFixed(0)} s`;
    onMessage({ type: 'error', message: said.error });
    silence.abort();
  };
  let timer = setTimeout(hang, silenceMilliseconds);
  try {
    await engine.run(
      task,
      { client, limitMilliseconds },
      (message) => {
        if (silence.signal.aborted) return;
        clearTimeout(timer);
        timer = setTimeout(hang, silenceMilliseconds);
        if (message.type === 'done') said.done = true;
        if (message.type === 'error' && message.contest === undefined) said.error = message.message;
        onMessage(message);
      },
      AbortSignal.any([signal, silence.signal]),
    );
  } catch (error) {
    said.error ??= messageOf(error);
  } finally {
    clearTimeout(timer);
  }
  return said.error ?? (said.done ? undefined : 'it ended before its time');
}
