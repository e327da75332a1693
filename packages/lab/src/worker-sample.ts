/**
 * One contest in one fresh process. Takes a SampleTask as JSON in its argument, gives a SampleResult as JSON on standard
 * output. Contests do not share processes, so that none is compiled with what another taught the engine.
 */
import type { Fault } from './client/checks.ts';
import { seeded } from './client/random.ts';
import { sample, type Plan, type Samples } from './client/sampler.ts';
import { contests } from './contests.ts';

export interface SampleTask {
  readonly contest: string;
  readonly seed: number;
  readonly plan: Plan;
}

export interface SampleResult extends Samples {
  /** Bytes of one operation, by the id of the case. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Wrong answers: these cases were not timed. */
  readonly faults: readonly Fault[];
  readonly unavailable: readonly { readonly contestant: string; readonly reason: string }[];
}

if (import.meta.main) {
  const task = JSON.parse(process.argv[2] ?? '') as SampleTask;
  const contest = contests.find(({ id }) => id === task.contest);
  if (contest === undefined) throw new Error(`there is no contest "${task.contest}"`);
  const random = seeded(task.seed);
  const cases = contest.cases(random);

  const unavailable = cases.flatMap(({ id, unavailable }) =>
    unavailable === undefined ? [] : [{ contestant: id, reason: unavailable }],
  );
  const able = cases.filter(({ unavailable }) => unavailable === undefined);
  const faults = able.flatMap((item) => {
    const fault = item.fault();
    return fault === undefined ? [] : [{ contestant: item.id, fault }];
  });
  const right = able.filter(({ id }) => !faults.some(({ contestant }) => contestant === id));

  const result: SampleResult = {
    ...sample(right, task.plan, random),
    bytes: Object.fromEntries(right.map(({ id, bytes }) => [id, bytes])),
    faults,
    unavailable,
  };
  process.stdout.write(JSON.stringify(result));
}
