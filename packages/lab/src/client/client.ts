/** The client: reads a task and emits messages, in any engine. */
import { canary } from './canary.ts';
import { contests } from './catalogue.ts';
import { messageOf } from './checks.ts';
import { now, stepOf, timerOf } from './clock.ts';
import type { ClientContest, Context } from './contest.ts';
import { hello } from './hello.ts';
import type { CanaryMessage, Emit, Family, Message, Plan, Run, Task, TimerDescription } from './messages.ts';
import { family, place } from './place.ts';
import { probeOf, RecentCycle } from './probe.ts';
import { seeded } from './random.ts';
import { entries } from './rooms.ts';
import { runContest, type Session } from './run-contest.ts';
import type { Probe, TurnHooks } from './sampler.ts';
import { yardstick as makeYardstick, YARDSTICK_MODULE } from './yardstick.ts';

/** The event loop gets a turn this often, so that a page can show progress and receive "stop". */
const TURN_MILLISECONDS = 40;

/** Returns a function that yields to the event loop when a turn is due. */
function breather(): () => Promise<void> | undefined {
  let last = now();
  return () => {
    if (now() - last < TURN_MILLISECONDS) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        last = now();
        resolve();
      }, 0);
    });
  };
}

/** Milliseconds for evaluating the library's own modules, which no code has imported before. */
async function evaluationOfLibrary(): Promise<number> {
  const start = now();
  await Promise.all([...entries(({ library }) => library).map((load) => load()), import('lanewise/engine.js')]);
  return now() - start;
}

/** How much longer an engine runs code before its best compiler starts, compared with V8. */
const WARM_UP: Readonly<Record<Family, number>> = { v8: 1, spidermonkey: 2, jsc: 2.5, unknown: 2.5 };

/** A median of fewer rounds is not reliable. */
const LEAST_ROUNDS = 5;

/** Adapts a task's plan to the clock and the engine: a coarse clock needs longer batches, and so gets fewer of them. */
function planFor({ plan }: Task, timer: TimerDescription): Plan {
  const [least, most] = plan.rounds;
  const { batchMilliseconds } = timer;
  const share = plan.batchMilliseconds / batchMilliseconds;
  const rounds = Math.min(least, Math.max(LEAST_ROUNDS, Math.ceil(least * share)));
  return {
    rounds: [rounds, timer.coarse ? rounds : most],
    budgetMilliseconds: plan.budgetMilliseconds,
    batchMilliseconds,
    warmUpMilliseconds: WARM_UP[family()] * plan.warmUpMilliseconds,
  };
}

/** The reason why a contest cannot take place, or undefined. */
function obstacle(contest: ClientContest, timer: TimerDescription): string | undefined {
  const here = place();
  if (contest.places?.includes(here) === false) return `it takes place in ${contest.places.join(', ')}`;
  if (timer.coarse && contest.form === 'rounds' && contest.essential !== true) {
    return `the clock has steps of ${timer.stepMilliseconds.toPrecision(2)} ms, for which it is too short`;
  }
  return undefined;
}

function chosen(task: Task, emit: Emit): readonly ClientContest[] {
  const ids = new Set(task.contests);
  const result = contests.filter(({ id }) => ids.delete(id));
  for (const id of ids) emit({ type: 'error', contest: id, message: 'there is no such contest' });
  return result;
}

async function session(task: Task, emit: Emit, { signal, modules = {}, workerUrl }: Parameters<Run>[2] & object) {
  const startedAt = new Date().toISOString();
  const start = now();
  const timer = timerOf(stepOf(now), task.plan.batchMilliseconds);
  const hooks: TurnHooks = { now, signal, breathe: breather() };
  const context: Context = {
    kind: task.kind,
    random: seeded(task.seed),
    place: place(),
    surroundings: { signal, modules, workerUrl },
    hooks,
    evaluated: await evaluationOfLibrary(),
  };
  let yardstick = makeYardstick(modules[YARDSTICK_MODULE]);
  const all = chosen(task, emit);
  const plan = planFor(task, timer);
  let sampled = 0;
  let stopped = false;
  const canaries: CanaryMessage[] = [];
  let probe: Probe | undefined;
  const recentCycle = new RecentCycle();

  const stopping = async (work: () => Promise<void>): Promise<void> => {
    if (stopped) return;
    try {
      signal?.throwIfAborted();
      await work();
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      stopped = true;
    }
  };
  const listen = (when: CanaryMessage['when']) =>
    stopping(async () => {
      const { message, yardstickCount, simd } = await canary(
        when,
        family(),
        yardstick,
        modules,
        timer.batchMilliseconds,
        hooks,
      );
      canaries.push(message);
      recentCycle.after([1 / message.gigahertz]);
      emit(message);
      // The yardstick is hot now. Its batch size is fixed from here on, so that it is the same in all contests.
      yardstick = { ...yardstick, count: yardstickCount };
      // A probe of a coarse clock would take longer than many states of the core.
      if (!timer.coarse) probe ??= simd && probeOf(simd.run, simd.milliseconds, timer.stepMilliseconds);
    });
  const one = (contest: ClientContest, tell: Emit) =>
    stopping(async () => {
      const reason = obstacle(contest, timer);
      if (reason !== undefined) {
        tell({ type: 'unavailable', contest: contest.id, reason });
        return;
      }
      const here: Session = {
        context,
        plan,
        yardstick,
        probe,
        recentCycle,
        emit: tell,
        now,
        hot,
        of: all.length,
      };
      try {
        if (await runContest(contest, all.indexOf(contest), here)) sampled++;
      } catch (error) {
        if (signal?.aborted === true) throw error;
        tell({ type: 'error', contest: contest.id, message: messageOf(error) });
      }
    });
  const hot = new Set<string>();

  // Cold starts must run before any kernel is assembled, and `hello` assembles them to report their digests: so it is
  // sent after the contests, whose messages wait for it.
  const waiting: Message[] = [];
  for (const contest of all) if (contest.axis === 'cold') await one(contest, (message) => waiting.push(message));
  emit(await hello(startedAt, timer, yardstick));
  waiting.forEach(emit);

  await listen('start');
  for (const contest of all) if (contest.axis !== 'cold') await one(contest, emit);
  await listen('end');
  emit({
    type: 'done',
    milliseconds: now() - start,
    contests: sampled,
    stopped,
    trusted: canaries.length > 0 && canaries.every(({ trusted }) => trusted),
  });
}

export const run: Run = async (task, emit, surroundings = {}) => {
  try {
    await session(task, emit, surroundings);
  } catch (error) {
    emit({ type: 'error', message: messageOf(error) });
  }
};
