/** Runs under a simulated clock, in which a neighbour on the same core slows contestants by known factors. */
import type { CaseDescription, ContestDescription, Message } from '../src/client/messages.ts';
import { probeOf, RecentCycle } from '../src/client/probe.ts';
import { seeded } from '../src/client/random.ts';
import { sample, type Case, type Plan } from '../src/client/sampler.ts';
import type { Line } from '../src/results/lines.ts';
import { canary, done, engineRecord, header, hello, resultOf } from './results-synthetic.ts';

export const PLAN: Plan = { rounds: [40, 40], budgetMilliseconds: 0, batchMilliseconds: 0.25, warmUpMilliseconds: 1 };

export interface World {
  /** The share of the time in which the neighbour works, in stretches of some 20 ms. */
  readonly busy: number;
  /** The clock rate of each session, as a multiple of the first. */
  readonly rates?: readonly number[];
  /** Without probes, as in results of the first version. */
  readonly blind?: boolean;
}

/** Milliseconds of an operation on a quiet core, and the factor by which a neighbour slows it. */
export const FIELD = { ours: [0.001, 1.3], rival: [0.003, 1.05] } as const;
const YARDSTICK = 0.002;

/** A session under a simulated clock: the neighbour slows the probe 1.3 times, and the yardstick not at all. */
function sessionIn({ busy, blind = false }: World, rate: number, seed: number) {
  const random = seeded(seed);
  let [time, until, working] = [0, 0, false];
  const take = (milliseconds: number, slowed: number) => (): void => {
    for (; time >= until; until += (working ? busy : 1 - busy) * (10 + 60 * random()))
      working = busy === 1 || (busy > 0 && !working);
    time += (milliseconds * (working ? slowed : 1)) / rate;
  };
  const cases: Case[] = [
    ...Object.entries(FIELD).map(([id, [cost, slowed]]): Case => ({ id, run: take(cost, slowed) })),
    { id: 'yardstick', run: take(YARDSTICK, 1) },
  ];
  const probe = probeOf(take(0.005, 1.3), 0.005, 1e-4);
  const found = sample(cases, PLAN, random, { now: () => time, ...(!blind && { probe }) });
  const { yardstick, ...nanoseconds } = found.nanoseconds;
  const { yardstick: _, ...probes } = found.probes ?? {};
  const cycles = yardstick.map((value) => value / 8000);
  const cycle = new RecentCycle().after(cycles);
  return {
    nanoseconds,
    cycle: cycles,
    ...(found.probes && { probe: { passes: probe.passes, cycle, nanoseconds: probes } }),
  };
}

export const contest: ContestDescription = {
  id: 'platforms/p/encrypt/1000',
  axis: 'platforms',
  form: 'rounds',
  primitive: 'P',
  operation: 'encrypt',
  title: 'P',
  parameters: { length: 1000 },
};
const described = Object.keys(FIELD).map((id): CaseDescription => ({
  id,
  contestant: id,
  standing: id === 'ours' ? 'ours' : 'rival',
  ...(id === 'ours' && { engine: 'simd' as const }),
  primitive: 'P',
  operation: 'encrypt',
  bytes: 1000,
  parameters: {},
}));

/** A whole run, as it is stored and read again. */
export function resultIn(world: World) {
  const lines: Line[] = [
    { line: 'run', run: header },
    { line: 'engine', engine: engineRecord('node26') },
  ];
  (world.rates ?? [1, 1, 1, 1]).forEach((rate, session) => {
    const say = (message: Message): void => void lines.push({ line: 'message', session, message });
    lines.push({ line: 'session', session, engine: 'node26', seed: session, startedAt: header.startedAt });
    [hello(), canary('start')].forEach(say);
    say({ type: 'contest-start', index: 0, of: 1, contest, cases: described });
    const found = sessionIn(world, rate, session + 5);
    say({ type: 'samples', contest: contest.id, ...found, batches: {}, milliseconds: 1 });
    [canary('end'), done].forEach(say);
  });
  return resultOf(lines);
}
