/**
 * The canary: a kernel that never changes, timed at both ends of a session. Engines have slow tiers (a baseline
 * compiler, an interpreter, code that a debugger may stop) in which everything takes several times as long; times of
 * such a session mean nothing, and must not get into tables.
 */
import { loop, sequence, set } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import { Module } from '../../../lanewise/src/wasm/module.ts';
import { studyModule, type StudyFunctions } from '../kernels/chacha-study.ts';
import { pairedRatio, median } from '../results/medians.ts';
import type { CanaryMessage, Family } from './messages.ts';
import { seeded } from './random.ts';
import { sampleInTurns, type Case, type Plan, type TurnHooks } from './sampler.ts';
import type { Yardstick } from './yardstick.ts';

/** Names of the canary's modules in `Surroundings.modules`. */
export const CANARY_MODULES = { simd: 'lab canary simd', scalar: 'lab canary scalar' } as const;

type Kernel = keyof typeof CANARY_MODULES;

const BYTES = 8192;
const BLOCK = 64;

/**
 * The best cycles per byte that were measured: AMD EPYC (Zen), 2026-11. V8 takes 2.0 for the vectors before version 13,
 * and 3.0 since then. An unknown family is held to the slowest of these.
 */
const best: Readonly<Record<Family, Readonly<Record<Kernel, number>>>> = {
  v8: { simd: 2, scalar: 0.8 },
  spidermonkey: { simd: 2.1, scalar: 0.8 },
  jsc: { simd: 2.7, scalar: 0.8 },
  unknown: { simd: 2.7, scalar: 0.8 },
};
/**
 * A session is not trusted if the kernel takes more than this many times the best known cycles, nor if it takes fewer
 * than the best divided by this, because then the yardstick is slow.
 */
const TRUSTED = 2;

/**
 * No processor that runs a browser has a clock rate outside this range; outside it, the yardstick itself runs in a slow
 * tier.
 */
const PLAUSIBLE_GIGAHERTZ = [0.8, 8] as const;

/** The hand-written ChaCha20 kernel with two sets of four blocks. */
const simdModule = (): Module => studyModule({ place: 'memory', sets: 2, rotations: 'swizzles' });

/** Exports `pass()`: additions, rotations and XORs on the four words of every 16 bytes of memory. */
function scalarModule(): Module {
  const module = new Module(1);
  module.define('pass', [], undefined, (frame) => {
    const at = frame.local('i32');
    const [a, b, c, d] = frame.locals('i32', 4);
    const step = (x: typeof a, y: typeof a, z: typeof a, count: number) =>
      sequence(set(x, i32.add(x, y)), set(z, i32.rotl(i32.xor(z, x), count)));
    return [
      set(at, i32.value(BYTES)),
      loop(
        sequence(
          set(at, i32.sub(at, 16)),
          ...[a, b, c, d].map((word, i) => set(word, i32.add(word, i32.load(at, 4 * i)))),
          step(a, b, d, 16),
          step(c, d, b, 12),
          step(a, b, d, 8),
          step(c, d, b, 7),
          ...[a, b, c, d].map((word, i) => i32.store(at, 4 * i, word)),
        ),
        at,
      ),
    ];
  });
  return module;
}

export const canaryModules: Readonly<Record<Kernel, () => Module>> = { simd: simdModule, scalar: scalarModule };

export interface CanaryResult {
  readonly message: CanaryMessage;
  /** Operations of the yardstick in one batch. */
  readonly yardstickCount: number;
  /** The kernel with vectors, which is hot now, and the milliseconds of a call; undefined without vectors. */
  readonly simd: { readonly run: () => void; readonly milliseconds: number } | undefined;
}

interface Here {
  readonly kernel: Kernel;
  readonly run: () => void;
}
let made: Here | undefined;

/**
 * The best kernel that compiles here. It is instantiated once, because engines run each new instance slowly at first.
 */
function kernelHere(compiled: Readonly<Record<string, WebAssembly.Module>>): Here | undefined {
  if (made) return made;
  for (const kernel of ['simd', 'scalar'] as const) {
    try {
      const module = compiled[CANARY_MODULES[kernel]] ?? new WebAssembly.Module(canaryModules[kernel]().bytes());
      const { exports } = new WebAssembly.Instance(module);
      const study = exports as unknown as StudyFunctions;
      const run = kernel === 'simd' ? () => study.xor(BYTES / BLOCK) : (exports['pass'] as () => void);
      return (made = { kernel, run });
    } catch {
      // The host has no vectors, or no WebAssembly.
    }
  }
  return undefined;
}

const PLAN = { rounds: [21, 21], budgetMilliseconds: 0, warmUpMilliseconds: 120 } as const;

/** The reason not to trust a session, or undefined. */
export function doubt(
  { kernel, cyclesPerByte, gigahertz }: Pick<CanaryMessage, 'kernel' | 'cyclesPerByte' | 'gigahertz'>,
  family: Family,
): string | undefined {
  const [least, most] = PLAUSIBLE_GIGAHERTZ;
  if (!(gigahertz >= least && gigahertz <= most)) {
    return `the yardstick finds ${gigahertz.toPrecision(2)} GHz, which no processor has`;
  }
  if (kernel === 'none') return undefined;
  const known = best[family][kernel];
  const found = `the ${kernel} kernel that never changes takes ${cyclesPerByte.toPrecision(3)} cycles per byte, where this engine is known for ${known}`;
  if (cyclesPerByte > TRUSTED * known) {
    return `${found}: not its optimised tier (a debugger? a baseline compiler only? an interpreter?)`;
  }
  return cyclesPerByte < known / TRUSTED ? `${found}: the yardstick is not in the engine's optimised tier` : undefined;
}

export async function canary(
  when: CanaryMessage['when'],
  family: Family,
  yardstick: Yardstick,
  compiled: Readonly<Record<string, WebAssembly.Module>>,
  batchMilliseconds: number,
  hooks: TurnHooks,
): Promise<CanaryResult> {
  const here = kernelHere(compiled);
  const cases: Case[] = [yardstick, ...(here ? [{ id: here.kernel, run: here.run, hot: when === 'end' }] : [])];
  const plan: Plan = { ...PLAN, batchMilliseconds };
  const { nanoseconds, batches } = await sampleInTurns(cases, plan, seeded(1), hooks);
  const cycles = nanoseconds[yardstick.id].map(yardstick.cycle);
  const measured = {
    kernel: here?.kernel ?? 'none',
    gigahertz: 1 / Math.max(median(cycles), 1e-9),
    cyclesPerByte: here
      ? pairedRatio(
          nanoseconds[here.kernel],
          cycles.map((cycle) => Math.max(cycle, 1e-9)),
        ) / BYTES
      : 0,
  } as const;
  const reason = doubt(measured, family);
  const message: CanaryMessage = {
    type: 'canary',
    when,
    ...measured,
    best: here ? best[family][here.kernel] : 0,
    trusted: reason === undefined,
    ...(reason !== undefined && { reason }),
  };
  return {
    message,
    yardstickCount: batches[yardstick.id],
    simd: here?.kernel === 'simd' ? { run: here.run, milliseconds: median(nanoseconds.simd) / 1e6 } : undefined,
  };
}
