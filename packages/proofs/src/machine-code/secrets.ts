/**
 * Follows secrets through the machine code of a kernel, on all paths: bytes of linear memory are secret, parameters are public, and so
 * are the instance and its fields. A branch, an address, or a division that depends on a secret is a finding. An instruction that is not
 * known here counts as a mixture of all its operands.
 */
import type { Instruction, MachineFunction } from './disassembly.ts';

/** `pointer`: the instance, or one of its fields; `linear`: the start of linear memory. */
type Label = 'public' | 'pointer' | 'linear' | 'secret';

export interface Finding {
  readonly offset: number;
  readonly what: 'branch' | 'address' | 'division' | 'length';
  readonly instruction: string;
}

export interface Loop {
  readonly from: number;
  readonly to: number;
  readonly instructions: number;
  readonly branches: number;
  /** Loads and stores whose address has a register besides the start of memory. */
  readonly indexed: number;
}

export interface Report {
  readonly instructions: number;
  readonly branches: number;
  readonly indexed: number;
  readonly loads: number;
  readonly loops: readonly Loop[];
  readonly findings: readonly Finding[];
}

/** Where the instance has the start of its memory. */
const MEMORY_START = 0x1f;
/** Where a frame has the instance, and Liftoff's counts of calls. */
const INSTANCE_SLOT = -0x10;
const FEEDBACK_SLOT = -0x18;

/** Before this offset Liftoff calls nothing but the function that makes its frame. */
const PROLOGUE = 16;

const joined = (x: Label | undefined, y: Label): Label =>
  x === undefined || x === y ? y : x === 'secret' || y === 'secret' ? 'secret' : 'public';

const GENERAL = /^r(?:[a-d]x|[sd]i|[sb]p|\d+)/;
/** `r14l`, `al` and `rax` are parts of one register. */
function registerOf(text: string): string | undefined {
  const short = /^([a-d])l$/.exec(text);
  if (short) return `r${short[1]}x`;
  if (/^[xy]mm\d+$/.test(text)) return `x${text.slice(3)}`;
  return GENERAL.exec(text)?.[0].replace(/[lwb]$/, '');
}

interface Address {
  readonly base: string | undefined;
  readonly index: string | undefined;
  readonly displacement: number;
}
function addressOf(text: string): Address | undefined {
  const inside = /^\[(.*)\]$/.exec(text)?.[1];
  if (inside === undefined) return undefined;
  let [base, index]: (string | undefined)[] = [];
  let displacement = 0;
  for (const [, sign, part] of inside.matchAll(/([+-]?)([^+-]+)/g)) {
    if (part.startsWith('0x')) displacement = Number(part) * (sign === '-' ? -1 : 1);
    else if (part.includes('*') || base !== undefined) index = part.split('*')[0];
    else base = part;
  }
  return { base, index, displacement };
}

const sizeOf = (op: string, operands: readonly string[]): number => {
  if (operands.some((text) => text.startsWith('ymm'))) return 32;
  if (/^v(?:movq|movsd|pinsrq|pextrq|movl|movh)/.test(op)) return 8;
  if (/^v(?:movd|movss|broadcastss|pinsrd|pextrd)/.test(op)) return 4;
  if (op.startsWith('v')) return 16;
  return op.endsWith('q') ? 8 : op.endsWith('b') ? 1 : op.endsWith('w') ? 2 : 4;
};

/** The labels at a place; frames are labelled byte by byte. */
class State {
  readonly registers: Map<string, Label>;
  readonly frame: Map<number, Label>;
  pushed: Label[];
  /** Of all that was written from the stack pointer on. */
  outgoing: Label;
  flags: Label;

  constructor(other?: State) {
    this.registers = new Map(other?.registers);
    this.frame = new Map(other?.frame);
    this.pushed = [...(other?.pushed ?? [])];
    this.outgoing = other?.outgoing ?? 'public';
    this.flags = other?.flags ?? 'public';
  }

  /** Takes over the labels of another way; whether that changed anything. */
  merge(other: State): boolean {
    let changed = false;
    const both = <K>(to: Map<K, Label>, from: ReadonlyMap<K, Label>): void => {
      for (const [key, label] of from) {
        const all = joined(to.get(key), label);
        if (all !== to.get(key)) {
          to.set(key, all);
          changed = true;
        }
      }
    };
    both(this.registers, other.registers);
    both(this.frame, other.frame);
    const [outgoing, flags] = [joined(this.outgoing, other.outgoing), joined(this.flags, other.flags)];
    const pushed = this.pushed.map((label, i) => joined(other.pushed[i], label));
    changed ||= outgoing !== this.outgoing || flags !== this.flags || pushed.join() !== this.pushed.join();
    [this.outgoing, this.flags, this.pushed] = [outgoing, flags, pushed];
    return changed;
  }
}

const isJump = (op: string): boolean => op.startsWith('j');
const isConditional = (op: string): boolean => isJump(op) && op !== 'jmp';

export function secretsIn({ instructions, compiler }: MachineFunction): Report {
  const findings = new Map<string, Finding>();
  const places = new Map(instructions.map(({ offset }, i) => [offset, i]));

  const run = (state: State, { offset, op, operands, isStub }: Instruction): void => {
    const find = (what: Finding['what'], label: Label | undefined): void => {
      if (label === 'secret')
        findings.set(`${offset} ${what}`, { offset, what, instruction: `${op} ${operands.join()}` });
    };
    const register = (name: string): Label => state.registers.get(name) ?? 'secret';
    const size = sizeOf(op, operands);
    const read = (text: string): Label => {
      const address = addressOf(text);
      if (!address) {
        const name = registerOf(text);
        return name === undefined ? 'public' : register(name);
      }
      const { base, index, displacement } = address;
      if (base === 'rip') return 'public';
      if (base === 'rbp') {
        if (index !== undefined) find('address', register(index));
        if (displacement === INSTANCE_SLOT || (compiler === 'Liftoff' && displacement === FEEDBACK_SLOT))
          return 'pointer';
        let label: Label | undefined;
        for (let i = 0; i < size; i++) label = joined(label, state.frame.get(displacement + i) ?? 'public');
        return label ?? 'public';
      }
      if (base === 'rsp') return state.outgoing;
      const labels = [base, index]
        .filter((name) => name !== undefined)
        .map((name) => register(registerOf(name) ?? name));
      for (const label of labels) find('address', label);
      if (labels.length === 1 && labels[0] === 'pointer')
        return base === 'rsi' && displacement === MEMORY_START ? 'linear' : 'pointer';
      return 'secret';
    };
    const write = (text: string, label: Label): void => {
      const address = addressOf(text);
      if (!address) {
        const name = registerOf(text);
        if (name !== undefined) state.registers.set(name, label);
        return;
      }
      const { base, index, displacement } = address;
      if (base === 'rbp') for (let i = 0; i < size; i++) state.frame.set(displacement + i, label);
      else if (base === 'rsp') state.outgoing = joined(state.outgoing, label);
      else
        for (const name of [base, index]) if (name !== undefined) find('address', register(registerOf(name) ?? name));
    };

    if (isConditional(op)) {
      find('branch', state.flags);
      return;
    }
    if (op === 'jmp' || op === 'retl' || op === 'ret' || op === 'nop' || op === 'int3l') return;
    const [first, ...others] = operands;
    switch (op) {
      case 'push':
        state.pushed.push(read(first));
        return;
      case 'pop':
        write(first, first === 'rbp' ? 'public' : (state.pushed.pop() ?? 'public'));
        return;
      case 'call': {
        if (registerOf(first) !== undefined || addressOf(first)) find('branch', read(first));
        // V8's own stubs make frames, look at the end of the stack, and trap: they keep registers, or do not return.
        if (isStub || (compiler === 'Liftoff' && offset < PROLOGUE)) return;
        for (const name of state.registers.keys()) if (!KEPT.has(name)) state.registers.set(name, 'secret');
        // V8's own functions fill and copy memory, and say whether that was within it: by addresses and lengths.
        if (registerOf(first) !== undefined) state.registers.set('rax', 'public');
        state.flags = 'secret';
        return;
      }
      case 'rep':
        find('length', register('rcx'));
        find('address', register('rdi'));
        return;
    }
    if (/^i?div/.test(op)) {
      for (const label of [read(first), register('rax'), register('rdx')]) find('division', label);
      return;
    }
    if (op.startsWith('lea')) {
      const { base, index } = addressOf(others[0])!;
      const labels = [base, index]
        .filter((name) => name !== undefined)
        .map((name) => register(registerOf(name) ?? name));
      write(first, labels.length ? labels.reduce((x, y) => joined(x, y)) : 'public');
      return;
    }
    if (op.startsWith('set') || op.startsWith('cmov')) {
      write(
        first,
        [state.flags, ...operands.map(read)].reduce((x, y) => joined(x, y)),
      );
      return;
    }
    const isMove = /^v?mov|^v/.test(op);
    const isZero = others.length > 0 && /^v?p?xor/.test(op) && operands.every((text) => text === operands.at(-1));
    const sources = isMove ? (op.startsWith('v') && others.length === 0 ? operands : others) : operands;
    const labels = isZero ? [] : sources.map(read);
    const label = labels.length ? labels.reduce((x, y) => joined(x, y)) : 'public';
    if (!isMove) state.flags = label;
    if (/^(?:cmp|test)/.test(op)) return;
    write(first, label);
  };

  // The ways from the start: parameters are public, and registers that are none have nothing of the caller's secrets.
  const entry = new State();
  for (const name of ['rax', 'rbx', 'rcx', 'rdx', 'rdi', 'r8', 'r9', 'r10', 'r11', 'r12', 'r14', 'r15'])
    entry.registers.set(name, 'public');
  for (const name of ['rsi', 'r13']) entry.registers.set(name, 'pointer');
  for (const name of ['rsp', 'rbp']) entry.registers.set(name, 'public');
  const states = new Map<number, State>([[0, entry]]);
  const queue = [0];
  const reached = new Set<number>();
  const goTo = (i: number, state: State): void => {
    const known = states.get(i);
    if (!known) states.set(i, new State(state));
    else if (!known.merge(state)) return;
    queue.push(i);
  };
  const leaders = new Set(instructions.flatMap(({ target }) => (target === undefined ? [] : [target])));
  for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
    const state = new State(states.get(from));
    for (let i = from; i < instructions.length; i++) {
      if (i !== from && leaders.has(instructions[i].offset)) {
        goTo(i, state);
        break;
      }
      const instruction = instructions[i];
      reached.add(i);
      run(state, instruction);
      const { op, target } = instruction;
      if (isJump(op)) {
        const to = target === undefined ? undefined : places.get(target);
        if (to === undefined) throw new Error(`a jump whose target is not known: ${op} ${instruction.operands.join()}`);
        goTo(to, state);
      }
      if (op === 'jmp' || op.startsWith('ret')) break;
    }
  }
  const own = instructions.filter((_, i) => reached.has(i));
  return { ...countsOf(own), loops: loopsOf(own), findings: [...findings.values()] };
}

/** Registers that calls keep: the stack, the frame, V8's own. */
const KEPT: ReadonlySet<string> = new Set(['rsp', 'rbp', 'r13']);

const isIndexed = ({ op, operands }: Instruction): boolean =>
  !op.startsWith('lea') && operands.some((text) => addressOf(text)?.index !== undefined);
const isLoad = ({ op, operands }: Instruction): boolean =>
  !op.startsWith('lea') && operands.slice(1).some((text) => /^\[(?!rbp|rsp|rip|r13)/.test(text));

const countsOf = (own: readonly Instruction[]) => ({
  instructions: own.length,
  branches: own.filter(({ op }) => isConditional(op)).length,
  indexed: own.filter(isIndexed).length,
  loads: own.filter(isLoad).length,
});

/** The instructions that a jump to an earlier one repeats. */
function loopsOf(own: readonly Instruction[]): Loop[] {
  const ends = new Map<number, number>();
  for (const { op, offset, target } of own)
    if (isJump(op) && target !== undefined && target <= offset)
      ends.set(target, Math.max(ends.get(target) ?? 0, offset));
  return [...ends]
    .sort(([x], [y]) => x - y)
    .map(([from, to]) => {
      const { instructions, branches, indexed } = countsOf(own.filter(({ offset }) => offset >= from && offset <= to));
      return { from, to, instructions, branches, indexed };
    });
}
