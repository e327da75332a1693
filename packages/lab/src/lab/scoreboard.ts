/** The progress of a run: a line for each event, and on a terminal one below them about the session that is running. */
import type { Message } from '../client/messages.ts';
import { printable } from '../results/names.ts';
import { QuietCount } from '../results/quiet-count.ts';
import { isTerminal, progressOn } from '../terminal.ts';
import { duration, timeLeft } from './time-left.ts';

interface Score {
  name: string;
  /** Sessions that have ended, and all that are expected to take place. */
  done: number;
  of: number;
  /** The session that is running: when it began, the share that is done, and its contest. */
  running: { readonly begunAt: number; share: number; contest: string } | undefined;
  /** Milliseconds of each session that came to its end. */
  readonly took: number[];
  readonly count: QuietCount;
}

export class Scoreboard {
  /** Failures of this run, one line each. */
  readonly problems: string[] = [];
  /** Remarks that aren't failures of this run: a rival with a wrong answer, a session that is left out. */
  readonly notices: string[] = [];
  readonly #scores: ReadonlyMap<string, Score>;
  readonly #stream: NodeJS.WriteStream;
  readonly #startedAt = performance.now();

  constructor(engines: readonly { readonly id: string; readonly name: string }[], stream: NodeJS.WriteStream) {
    const fresh = { done: 0, of: 0, running: undefined };
    this.#scores = new Map(engines.map(({ id, name }) => [id, { ...fresh, name, took: [], count: new QuietCount() }]));
    this.#stream = stream;
  }

  /** Tells a thing that concerns no engine, now and at the end. */
  notice(sentence: string): void {
    this.#tell(this.notices, sentence);
  }

  found(id: string, version: string): void {
    const score = this.#of(id);
    score.name = `${score.name.replace(/\s+\d[\d.]*$/, '')} ${version}`;
  }

  missing(id: string, remark: string): void {
    this.#say(`${this.#of(id).name}: ${remark}`);
  }

  start(entrants: readonly { readonly engine: { readonly id: string } }[], sessions: number): void {
    for (const { engine } of entrants) this.#of(engine.id).of = sessions;
  }

  begin(id: string, session: number): void {
    const score = this.#of(id);
    score.running = { begunAt: performance.now(), share: 0, contest: 'starts' };
    if (session === 0) this.#say(`${score.name}: starts`);
    this.#show();
  }

  hear(id: string, message: Message): void {
    const score = this.#of(id);
    score.count.hear(message);
    switch (message.type) {
      case 'contest-start':
        Object.assign(score.running!, { share: message.index / message.of, contest: message.contest.id });
        break;
      case 'progress':
        score.running!.share = (message.index + message.round / message.rounds) / message.of;
        break;
      case 'fault':
        this.#tell(
          message.contestant === 'lanewise' ? this.problems : this.notices,
          `${score.name}: WRONG: ${message.contestant} ${message.fault} (${message.contest})`,
        );
        break;
      case 'error':
        if (message.contest !== undefined)
          this.#tell(this.problems, `${score.name}: ${message.contest}: ${message.message}`);
        break;
      case 'canary':
        if (!message.trusted)
          this.#tell(this.notices, `${score.name}: not trusted: ${message.reason ?? 'the canary is slow'}`);
        break;
      default:
        return;
    }
    this.#show();
  }

  finish(id: string, milliseconds: number, failure: string | undefined): void {
    const score = this.#of(id);
    score.running = undefined;
    score.done++;
    if (failure !== undefined) {
      this.#tell(this.problems, `${score.name}: session ${score.done} failed: ${failure}`);
      return;
    }
    score.took.push(milliseconds);
    const took = `session ${score.done} of ${score.of}, ${duration(milliseconds)}`;
    this.#say([`${score.name}: ${took}`, String(score.count)].filter((part) => part !== '').join('; '));
  }

  giveUp(id: string, reason: string): void {
    const score = this.#of(id);
    score.of = score.done;
    this.#tell(this.problems, `${score.name}: ${reason}`);
  }

  stop(): void {
    this.#say('Stopping; again to drop everything.');
  }

  end(): void {
    this.#say(`${this.#sessions()} in ${duration(performance.now() - this.#startedAt)}`);
  }

  #of(id: string): Score {
    return this.#scores.get(id)!;
  }

  /** Reports a line once, even if several sessions have it. */
  #tell(list: string[], line: string): void {
    if (list.includes(line)) return;
    list.push(line);
    this.#say(line);
  }

  #say(line: string): void {
    if (isTerminal(this.#stream)) progressOn(this.#stream).clear();
    this.#stream.write(`${printable(line)}\n`);
  }

  #show(): void {
    if (!isTerminal(this.#stream)) return;
    const all = [...this.#scores.values()];
    const left = timeLeft(
      all.map(({ done, of, took, running }) => ({
        took,
        remaining: of - done - (running ? 1 : 0),
        present: running && { milliseconds: performance.now() - running.begunAt, share: running.share },
      })),
    );
    const time = left === undefined ? '' : `, about ${duration(left)} left`;
    const now = all.flatMap(({ name, running }) =>
      running ? [`${name} ${(100 * running.share).toFixed(0)} % ${running.contest}`] : [],
    );
    progressOn(this.#stream).show(
      printable([`${this.#sessions()}${time}; Ctrl-C keeps the findings`, ...now].join('; ')),
    );
  }

  #sessions(): string {
    const sum = (of: (score: Score) => number): number =>
      [...this.#scores.values()].reduce((total, score) => total + of(score), 0);
    return `${sum(({ done }) => done)} of ${sum(({ of }) => of)} sessions`;
  }
}
