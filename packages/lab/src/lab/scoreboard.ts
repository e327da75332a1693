/** The progress of each engine, for the board and for the last lines of a run. */
import type { Message } from '../client/messages.ts';
import type { Board, BoardRow, State } from '../terminal-board.ts';
import { QuietCount } from '../results/quiet-count.ts';
import { duration, timeLeft } from './time-left.ts';

interface Score {
  name: string;
  state: State;
  done: number;
  of: number;
  share: number;
  remark: string;
  begunAt: number;
  over: boolean;
  readonly took: number[];
  readonly count: QuietCount;
}

export class Scoreboard {
  readonly #board: Board;
  readonly #scores: ReadonlyMap<string, Score>;
  readonly #problems: string[] = [];
  readonly #notices: string[] = [];
  readonly #startedAt = performance.now();

  constructor(engines: readonly { readonly id: string; readonly name: string }[], board: Board) {
    this.#board = board;
    const fresh = { state: 'waiting', done: 0, of: 0, share: 0, remark: '', begunAt: 0, over: false } as const;
    this.#scores = new Map(engines.map(({ id, name }) => [id, { ...fresh, name, took: [], count: new QuietCount() }]));
  }

  /** Failures of this run, one line each. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Remarks that aren't failures of this run: a rival with a wrong answer, a session that is left out. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  /** Tells a thing that concerns no engine, now and at the end. */
  notice(sentence: string): void {
    this.#notices.push(sentence);
    this.#board.log(sentence);
  }

  search(id: string): void {
    this.#of(id).remark = 'is looked for';
    this.#show();
  }

  found(id: string, version: string): void {
    const score = this.#of(id);
    score.name = `${score.name.replace(/\s+\d[\d.]*$/, '')} ${version}`;
    score.remark = '';
    this.#show();
  }

  missing(id: string, remark: string): void {
    Object.assign(this.#of(id), { state: 'missing', remark });
    this.#board.log(`${this.#of(id).name}: ${remark}`);
    this.#show();
  }

  start(entrants: readonly { readonly engine: { readonly id: string } }[], sessions: number): void {
    for (const { engine } of entrants) this.#of(engine.id).of = sessions;
    this.#show();
  }

  begin(id: string, session: number): void {
    Object.assign(this.#of(id), { state: 'running', share: 0, remark: 'starts', begunAt: performance.now() });
    if (session === 0) this.#board.log(`${this.#of(id).name}: starts`);
    this.#show();
  }

  hear(id: string, message: Message): void {
    const score = this.#of(id);
    score.count.hear(message);
    switch (message.type) {
      case 'contest-start':
        score.share = message.index / message.of;
        score.remark = message.contest.id;
        break;
      case 'progress':
        score.share = (message.index + message.round / message.rounds) / message.of;
        break;
      case 'fault':
        this.#tell(
          message.contestant === 'lanewise' ? this.#problems : this.#notices,
          `${score.name}: WRONG: ${message.contestant} ${message.fault} (${message.contest})`,
        );
        break;
      case 'error':
        if (message.contest !== undefined)
          this.#tell(this.#problems, `${score.name}: ${message.contest}: ${message.message}`);
        break;
      case 'canary':
        if (!message.trusted)
          this.#tell(this.#notices, `${score.name}: not trusted: ${message.reason ?? 'the canary is slow'}`);
        break;
      default:
        return;
    }
    this.#show();
  }

  finish(id: string, milliseconds: number, failure: string | undefined): void {
    const score = this.#of(id);
    score.share = 0;
    score.done++;
    if (failure === undefined) {
      score.took.push(milliseconds);
      const quiet = String(score.count);
      Object.assign(score, { state: score.done < score.of ? 'waiting' : 'done', remark: quiet });
      const took = `session ${score.done} of ${score.of}, ${duration(milliseconds)}`;
      this.#board.log(`${score.name}: ${took}${quiet === '' ? '' : `; ${quiet}`}`);
    } else {
      Object.assign(score, { state: 'failed', remark: failure });
      this.#tell(this.#problems, `${score.name}: session ${score.done} failed: ${failure}`);
    }
    this.#show();
  }

  giveUp(id: string, reason: string): void {
    this.#of(id).over = true;
    this.#tell(this.#problems, `${this.#of(id).name}: ${reason}`);
    this.#show();
  }

  stop(): void {
    this.#board.say('Stopping; again to drop everything.');
  }

  end(): void {
    for (const score of this.#scores.values()) {
      if (score.state === 'running') Object.assign(score, { state: 'failed', remark: 'stopped' });
      // The time was over before all sessions of the engine had begun.
      if (score.state === 'waiting' && score.done > 0) score.state = 'done';
    }
    this.#board.show(this.#rows(), `${this.#sessions()} in ${duration(performance.now() - this.#startedAt)}`);
    this.#board.end();
  }

  #of(id: string): Score {
    return this.#scores.get(id)!;
  }

  /** Reports a line once, even if several sessions have it. */
  #tell(list: string[], line: string): void {
    if (list.includes(line)) return;
    list.push(line);
    this.#board.log(line);
  }

  #show(): void {
    const all = [...this.#scores.values()];
    const left = timeLeft(
      all.map(({ state, done, of, over, took, share, begunAt }) => ({
        took,
        remaining: state === 'missing' || over ? 0 : of - done - (state === 'running' ? 1 : 0),
        present: state === 'running' ? { milliseconds: performance.now() - begunAt, share } : undefined,
      })),
    );
    const time = left === undefined ? '' : `, about ${duration(left)} left`;
    this.#board.show(this.#rows(), `${this.#sessions()}${time}; Ctrl-C stops, and keeps the findings so far`);
  }

  #rows(): BoardRow[] {
    return Array.from(this.#scores.values(), ({ name, state, done, of, share, remark }) => ({
      name,
      state,
      sessions: [done, of],
      share,
      remark,
    }));
  }

  #sessions(): string {
    const all = [...this.#scores.values()].filter(({ state }) => state !== 'missing');
    const sum = (of: (score: Score) => number): number => all.reduce((total, score) => total + of(score), 0);
    return `${sum(({ done }) => done)} of ${sum(({ of }) => of)} sessions`;
  }
}
