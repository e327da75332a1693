/**
 * Cold and hot: the time of the first call of a session and of each step before it, and how the time of a call falls
 * while the engine's compilers optimise the code. These contests come first in a session: until then the library has
 * only been asked which engines there are.
 */
import { decoded } from '../../../../lanewise/src/engine/bytes.ts';
import { hex } from '../bytes.ts';
import { describe, randomWork, type ClientContest, type Context, type Findings } from '../contest.ts';
import { messageOf } from '../checks.ts';
import { contestantOf } from '../kernel-cases.ts';
import { ALWAYS, THOROUGH } from '../kinds.ts';
import type { CaseDescription } from '../messages.ts';
import type { Operation } from '../operation.ts';
import { randomBytes } from '../random.ts';
import { entries, kernelForms, operations } from '../rooms.ts';
import { results } from '../sampler.ts';

const NANOSECONDS = 1e6;

/** The findings of a contest of single calls, as they come. */
class Finds {
  readonly cases: CaseDescription[] = [];
  readonly absent: Findings['absent'][number][] = [];
  readonly nanoseconds: Record<string, number[]> = {};

  add(description: CaseDescription, ...milliseconds: readonly number[]): void {
    this.cases.push(description);
    this.nanoseconds[description.id] = milliseconds.map((each) => each * NANOSECONDS);
  }

  lacks(name: string, error: unknown): void {
    this.absent.push({ case: name, contestant: 'lanewise', reason: messageOf(error) });
  }
}

const clockOf = ({ hooks }: Context) => hooks.now ?? (() => performance.now());

/** Times the public API as a user meets it: the first call, then one for which a larger kernel is instantiated. */
async function firstCalls(context: Context): Promise<Findings> {
  const { random, evaluated } = context;
  const now = clockOf(context);
  const { auto } = await import('../contestants/lanewise.ts');
  const all = await Promise.all(
    entries(({ firstCalls: calls }) => calls).map(async ({ operation, lengths, prepare }) => ({
      operation,
      call: await prepare(random),
      messages: lengths.map((length) => randomBytes(length, random)),
    })),
  );
  const finds = new Finds();
  const found = (id: string, operation: Operation, bytes: number, milliseconds: number): void =>
    finds.add(describe(auto, operation, id, bytes, {}), milliseconds);
  if (all.length > 0) found("the library's modules evaluated", all[0].operation, 0, evaluated);
  for (const { operation, call, messages } of all)
    for (const message of messages)
      for (const name of ['first', 'second']) {
        const start = now();
        results.last = call(message);
        const took = now() - start;
        const { length } = message;
        found(`${operation.primitive}, ${operation.operation} ${length} bytes, ${name}`, operation, length, took);
      }
  return finds;
}

/**
 * Appends a custom section with random bytes. Engines cache compiled modules by their bytes, so a new byte sequence is
 * compiled again.
 */
function unseen(bytes: Uint8Array, random: () => number): Uint8Array<ArrayBuffer> {
  const content = Uint8Array.from(
    [4, ...randomBytes(12, random)].map((byte, i) => (i === 0 ? byte : 97 + (byte % 26))),
  );
  const result = new Uint8Array(bytes.length + 2 + content.length);
  result.set(bytes);
  result.set([0, content.length], bytes.length);
  result.set(content, bytes.length + 2);
  return result;
}

/**
 * The steps to a kernel's first result: from its source, assembled when it is first used, as the library once was, or from the text
 * of its bytes, as the library is now; and what follows either way.
 */
const PARTS = ['assemble', 'decode', 'compile', 'instantiate', 'first call'] as const;

async function parts(context: Context): Promise<Findings> {
  const { random } = context;
  const now = clockOf(context);
  const ourForms = await kernelForms();
  const finds = new Finds();
  // Several forms may share a module; one form for each module is enough.
  const forms = [...new Map(ourForms.map((form) => [form.moduleName, form] as const)).values()];
  for (const form of forms) {
    const operation = operations.find(({ id }) => id === form.operation)!;
    const work = await randomWork(operation, 1024, random);
    try {
      const start = now();
      const bytes = form.module().bytes();
      const assembled = now();
      const text = hex(bytes);
      const decode = form.unpack ?? (() => decoded(text));
      const held = now();
      decode();
      const ready = now();
      const fresh = unseen(bytes, random);
      const begun = now();
      const module = new WebAssembly.Module(fresh);
      const compiled = now();
      const { exports } = new WebAssembly.Instance(module);
      const instantiated = now();
      const { run } = form.place(exports, work);
      const placed = now();
      run();
      const called = now();
      const times = [assembled - start, ready - held, compiled - begun, instantiated - compiled, called - placed];
      PARTS.forEach((part, i) => {
        const parameters = { part, moduleBytes: bytes.length };
        finds.add(describe(contestantOf(form), operation, `${form.moduleName}: ${part}`, 1024, parameters), times[i]);
      });
    } catch (error) {
      finds.lacks(form.moduleName, error);
    }
  }
  return finds;
}

const CURVE_BYTES = 8192;
const CURVE_MILLISECONDS = 150;
const CURVE_POINTS = 400;

/** Times successive batches of calls, starting with the first call. */
async function curve(operation: Operation, context: Context): Promise<Findings> {
  const { random, hooks } = context;
  const now = clockOf(context);
  const ourForms = await kernelForms();
  const finds = new Finds();
  for (const form of ourForms.filter((each) => each.operation === operation.id)) {
    const work = await randomWork(operation, CURVE_BYTES, random);
    try {
      const module = new WebAssembly.Module(unseen(form.module().bytes(), random));
      const { run } = form.place(new WebAssembly.Instance(module).exports, work);
      const times: number[] = [];
      const start = now();
      for (let last = start; last - start < CURVE_MILLISECONDS && times.length < CURVE_POINTS;) {
        for (let i = 0; i < CALLS_IN_POINT; i++) run();
        times.push((now() - last) / CALLS_IN_POINT);
        // Some engines compile in the background and switch to the new code only between turns of the event loop.
        await hooks.breathe?.();
        last = now();
      }
      finds.add(describe(contestantOf(form), operation, form.name, CURVE_BYTES, { calls: CALLS_IN_POINT }), ...times);
    } catch (error) {
      finds.lacks(form.name, error);
    }
  }
  return finds;
}
const CALLS_IN_POINT = 8;

export const cold: readonly ClientContest[] = [
  {
    id: 'cold/first-calls',
    axis: 'cold',
    form: 'once',
    primitive: 'all',
    operation: 'first call',
    title: 'The first calls of a session',
    parameters: {},
    kinds: ALWAYS,
    measure: firstCalls,
  },
  {
    id: 'cold/parts',
    axis: 'cold',
    form: 'once',
    primitive: 'all',
    operation: 'first call',
    title: 'The steps before the first call of a kernel, and that call',
    parameters: { length: 1024 },
    kinds: ALWAYS,
    measure: parts,
  },
  ...entries(({ warming }) => warming).map((operation): ClientContest => ({
    id: `cold/curve/${operation.id}/${CURVE_BYTES}`,
    axis: 'cold',
    form: 'series',
    primitive: operation.primitive,
    operation: operation.operation,
    title: `${operation.primitive}, 8 KiB in linear memory, from the first call on`,
    parameters: { length: CURVE_BYTES },
    kinds: THOROUGH,
    measure: (context) => curve(operation, context),
  })),
];
