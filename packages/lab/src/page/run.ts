/** A run in this page: sessions one after the other, each in a fresh worker, and their findings so far. */
import type { HelloMessage, Message, Plan, Task } from '../client/messages.ts';
import { assembly } from '../results/assemble.ts';
import type { Result } from '../results/schema.ts';
import type { Chosen } from './choice.ts';
import type { Played } from './figures.ts';
import { engineOf, headerOf } from './record.ts';
import { freshSession, type Session } from './session.ts';

export interface RunListener {
  /** Called for each message before the others. */
  readonly onMessage: (message: Message) => void;
  readonly onHello: (hello: HelloMessage) => void;
  /** Called for new samples or remarks of a contest. */
  readonly onContest: (played: Played, message: Message) => void;
  /** `share` is the share of the whole run. */
  readonly onProgress: (share: number, text: string) => void;
  readonly onTrouble: (text: string) => void;
}

/** Resolves to the findings, whether the run was stopped or not. `first` is a session that has not run yet. */
export async function runHere(
  { kind, sessions, contests }: Chosen,
  plan: Plan,
  seed: number,
  first: Session,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Result> {
  const assembled = assembly();
  assembled.add({ line: 'run', run: headerOf(kind, seed, plan) });
  const played = new Map<string, Played>();
  let engine: string | undefined;

  for (let session = 0; session < sessions && !signal.aborted; session++) {
    const own = (seed + session) >>> 0;
    const task: Task = { seed: own, kind, plan, contests };
    // Lines of a session refer to their engine, whose name comes with the first message.
    const waiting: Message[] = [];
    const keep = (message: Message): void => assembled.add({ line: 'message', session, message });
    const begin = (hello: HelloMessage): void => {
      const record = engineOf(hello);
      if (engine === undefined) assembled.add({ line: 'engine', engine: record });
      engine = record.id;
      assembled.add({ line: 'session', session, engine, seed: own, startedAt: hello.startedAt });
      waiting.splice(0).forEach(keep);
      listener.onHello(hello);
    };
    let begun = false;
    const hear = (message: Message): void => {
      listener.onMessage(message);
      if (message.type === 'hello') {
        begin(message);
        begun = true;
      }
      if (begun) keep(message);
      else waiting.push(message);
      follow(message, played, session, sessions, listener);
    };
    const worker = session === 0 ? first : freshSession();
    await worker.ready;
    await worker.run(task, hear, signal);
  }
  assembled.add({ line: 'end', endedAt: new Date().toISOString() });
  return assembled.result();
}

function follow(
  message: Message,
  played: Map<string, Played>,
  session: number,
  sessions: number,
  { onContest, onProgress, onTrouble }: RunListener,
): void {
  const share = (done: number): number => (session + done) / sessions;
  switch (message.type) {
    case 'contest-start': {
      const { contest, cases, index, of } = message;
      played.set(contest.id, { contest, cases, samples: played.get(contest.id)?.samples ?? [] });
      onProgress(share(index / of), contest.title);
      break;
    }
    case 'progress':
      onProgress(share((message.index + message.round / message.rounds) / message.of), '');
      break;
    case 'samples': {
      const before = played.get(message.contest)!;
      const now = { ...before, samples: [...before.samples, message] };
      played.set(message.contest, now);
      onContest(now, message);
      break;
    }
    case 'fault':
    case 'unavailable': {
      const contest = played.get(message.contest);
      if (contest) onContest(contest, message);
      break;
    }
    case 'canary':
      if (!message.trusted) onTrouble(`Do not trust these figures: ${message.reason ?? 'compiled code is slow here'}.`);
      break;
    case 'error':
      onTrouble(`${message.contest ?? 'The session'}: ${message.message}`);
      break;
    default:
  }
}
