// After every public call, whether it returned or threw, no byte of linear memory depends on a secret: the calls are made,
// their use of memory is recorded (wiping-record.ts), and repeated with every byte that the caller gave marked as secret.
import type { Engine } from '../../../lanewise/src/engine.ts';
import { JavaScriptFlow } from '../javascript/flow.ts';
import { parse } from '../javascript/parse.ts';
import type { Program } from '../javascript/syntax.ts';
import type { KernelText } from '../javascript/texts.ts';
import { familyOf, type Family, type Kernel } from '../kernels.ts';
import { proofsOf, roomOf, rooms } from '../rooms.ts';
import { counted } from './amounts.ts';
import { Failure, type Claim } from './claim.ts';
import { flowOf, type FlowKernel } from './flow.ts';
import { covers } from './left.ts';
import { isSlow, leftBy } from './left-lengths.ts';
import type { Remains, Scenario } from './recorded.ts';
import type { FlowRunnable } from './runnable.ts';
import { PlantedError, Recorder, type Operation, type Planted, type Slot } from './wiping-record.ts';

/** The operations of one call on the memory of one instance. */
export interface Use {
  readonly group: string;
  readonly name: string;
  readonly remains: Remains;
  readonly slot: Slot;
  readonly operations: readonly Operation[];
}

/** A kernel may fail at each of its first calls in a public call, before it has done anything or after all of it. */
const PLANTED: readonly Planted[] = [0, 1, 2].flatMap((call): Planted[] => [
  { call, time: 'before' },
  { call, time: 'after' },
]);

/** Long messages fail like short ones: only how many calls there are differs. */
const mayFail = ({ name }: Scenario): boolean => /\b(64|500|2049) bytes/.test(name);

function usesOf(recorder: Recorder, scenario: Scenario): Use[] {
  const uses = usesOnce(recorder, scenario);
  const { calls } = recorder;
  const planted = mayFail(scenario) ? PLANTED.filter(({ call }) => call < calls) : [];
  return [...uses, ...planted.flatMap((failure) => usesOnce(recorder, scenario, failure))];
}

function usesOnce(recorder: Recorder, scenario: Scenario, planted?: Planted): Use[] {
  const before = recorder.outside((library) => scenario.before?.(library)) ?? new Uint8Array(0);
  const verdict = isForged(scenario) ? 0 : 1;
  const { recording, thrown } = recorder.record((library) => scenario.call(library, before), { planted, verdict });
  const name = planted ? `${scenario.name}, failing ${planted.time} call ${planted.call}` : scenario.name;
  const expected = planted ? thrown instanceof PlantedError : isExpected(thrown, scenario.throws);
  if (!expected) throw new Error(`${name}: threw ${String(thrown)}`, { cause: thrown });
  const { group, remains } = scenario;
  return [...recording].map(([slot, operations]) => ({ group, name, remains, slot, operations }));
}

/** The recorder rejects a forgery, not the kernel: a kernel with a wrong verdict may still wipe as it should. */
const isForged = ({ throws }: Scenario): boolean =>
  throws !== undefined && /invalid tag|not authentic/.test(throws.source);

const isExpected = (thrown: unknown, expected: RegExp | undefined): boolean =>
  expected === undefined ? thrown === undefined : thrown instanceof Error && expected.test(thrown.message);

const recorded = new Map<Engine, readonly Use[]>();

/** The operations of every public call on an engine. */
export async function usesOn(engine: Engine): Promise<readonly Use[]> {
  const recorder = await Recorder.load();
  const known = recorded.get(engine);
  if (known) return known;
  recorder.select(engine);
  const scenarios = rooms.flatMap((room) => room.recorded.scenarios());
  const uses = scenarios.flatMap((scenario) => usesOf(recorder, scenario));
  const wiped = uses.some(({ operations }) => operations.some(({ op }) => op === 'wipe'));
  if (!wiped) throw new Error('the library was loaded before its recorder, which heard nothing');
  recorded.set(engine, uses);
  return uses;
}

/** Repeats the recorded operations, and returns the addresses of secrets that are left. */
export function replay({ operations, remains, slot }: Use, kernel: FlowKernel): number[] {
  const run = kernel.start();
  const { ciphertextFrom } = proofsOf(familyOf(slot)).wiping;
  for (const operation of operations)
    switch (operation.op) {
      case 'write': {
        const isPublic = remains === 'ciphertext' && operation.address >= ciphertextFrom;
        run.write(operation.address, operation.length, !isPublic);
        break;
      }
      case 'read':
        run.read(operation.address, operation.length);
        break;
      case 'wipe':
        run.write(operation.from, Math.min(operation.to, kernel.memoryBytes) - operation.from, false);
        break;
      case 'call':
        run.call(operation.name, ...operation.parameters);
    }
  return run.secretBytes({ taken: remains === 'given out' });
}

/** Which instances run a kernel: all of a name or those for messages of its length, unless its room says otherwise. */
export const slotsOf = (kernel: Kernel): readonly Slot[] =>
  proofsOf(kernel.family).wiping.slots?.(kernel) ??
  (kernel.short === undefined ? [kernel.family] : [`${kernel.family} ${kernel.short ? 'short' : 'long'}`]);

/** Uses that do the same are one. */
function distinct(uses: readonly Use[]): Use[] {
  const known = new Map(uses.map((use) => [JSON.stringify([use.operations, use.remains]), use]));
  return [...known.values()];
}

/** The most that a call writes to memory at once. */
const sizeOf = ({ operations }: Use): number =>
  Math.max(0, ...operations.map((operation) => (operation.op === 'write' ? operation.length : 0)));

interface Scope {
  readonly family: Family;
  readonly engine: Engine;
  /** The instances that run the kernel; all of its name unless given. */
  readonly slots?: readonly Slot[];
  /** Calls that write more than so many bytes at once are left out. */
  readonly most?: number;
}

/** Throws Failure unless everything that calls of the kernel may leave is wiped after them, except output. */
export function requireWiped({ name, operations, remains }: Use, family: Family, memoryBytes: number): void {
  operations.forEach((operation, i) => {
    if (operation.op !== 'call') return;
    const { given, wiped } = leftBy(family, operation.name, operation.parameters);
    const wipes = operations.slice(i + 1).flatMap((later) => (later.op === 'wipe' ? [later] : []));
    for (const { from, to } of remains === 'given out' ? wiped : [...given, ...wiped]) {
      const left = { from, to: Math.min(to, memoryBytes) };
      if (covers(wipes, left)) continue;
      throw new Failure(`${name}: not all is wiped that ${operation.name} may leave, from ${from} to ${left.to}`);
    }
  });
}

/** Claims about the recorded calls of each room that use the kernel. */
const claimsOf = (kernel: FlowKernel, scope: Scope): Claim[] =>
  rooms.flatMap(({ name, recorded: { groups } }) => {
    const named = Object.hasOwn(groups, scope.family) ? groups[scope.family] : [];
    return named.length ? claimsOfRoom(kernel, scope, name, named) : [];
  });

function claimsOfRoom(kernel: FlowKernel, scope: Scope, room: string, groups: readonly string[]): Claim[] {
  const { family, engine, slots, most } = scope;
  const borrowing = room === roomOf(family).name ? '' : `, calls of ${room}`;
  const usesOf = async (group: (name: string) => boolean): Promise<Use[]> => {
    const uses = await usesOn(engine);
    return uses.filter((use) => group(use.group) && (slots?.includes(use.slot) ?? familyOf(use.slot) === family));
  };
  const each = groups.map((group) => ({
    kernel: kernel.name,
    room,
    claim: `wiped after every call: ${group}${most === undefined ? '' : `, up to ${most} bytes at once`}`,
    async prove() {
      const all = await usesOf((name) => name === group);
      const selected = all.filter((use) => most === undefined || sizeOf(use) <= most);
      counted('recorded calls', selected.length);
      if (selected.length === 0) throw new Failure('no call was recorded');
      for (const use of distinct(selected)) {
        const left = replay(use, kernel);
        if (left.length === 0) continue;
        throw new Failure(`${use.name}: ${left.length} secret bytes are left, the first at ${left[0]}`);
      }
    },
  }));
  return [
    ...each,
    {
      kernel: kernel.name,
      room,
      claim: `wiped after every call: all that it may leave at its length${borrowing}`,
      async prove() {
        const recordedUses = await usesOf((name) => groups.includes(name));
        counted('recorded calls', recordedUses.length);
        for (const use of recordedUses) requireWiped(use, family, kernel.memoryBytes);
      },
    },
  ];
}

/**
 * The longest message for the `js` engine: its functions are those of the scalar kernel, which has claims about longer
 * messages too.
 */
const MOST_IN_JAVASCRIPT = 6000;

/** The public modules do the same on the scalar engine: a test compares. */
export const wipingClaims = (kernel: Kernel): Claim[] =>
  claimsOf(flowOf(kernel), {
    family: kernel.family,
    engine: 'simd',
    slots: slotsOf(kernel),
    ...(isSlow(kernel) && { most: MOST_IN_JAVASCRIPT }),
  });

/** The claims about the `js` engine, where one instance serves messages of all lengths. */
export function wipingTextClaims({ name, family, text, memoryBytes }: KernelText): Claim[] {
  let program: Program | undefined;
  const start = (): FlowRunnable => new JavaScriptFlow((program ??= parse(text)), memoryBytes);
  return claimsOf({ name, memoryBytes, start }, { family, engine: 'js', most: MOST_IN_JAVASCRIPT });
}
