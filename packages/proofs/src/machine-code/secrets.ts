/**
 * Follows secrets through the machine code of a kernel, on all paths: bytes of linear memory are secret, parameters are public, and so
 * are the instance and its fields. A branch, an address, or a division that depends on a secret is a finding. An instruction that is not
 * known here counts as a mixture of all its operands.
 */
import { CONVENTIONS } from './conventions.ts';
import { countsOf, loopsOf, type Counts, type Loop } from './counts.ts';
import type { Instruction, MachineFunction } from './instruction.ts';
import { allOf, joined, State, type Label } from './labels.ts';
import { addressOf, isByte, isConditional, isJump, isWord, registerOf, sizeOf } from './operands.ts';

export interface Finding {
  readonly offset: number;
  readonly what: 'branch' | 'address' | 'division' | 'length' | 'store';
  readonly instruction: string;
}

export interface Report extends Counts {
  /** Instructions that no way reaches, but padding and ends. */
  readonly unreached: number;
  readonly loops: readonly Loop[];
  readonly findings: readonly Finding[];
}

const REGISTERS = ['rax', 'rbx', 'rcx', 'rdx', 'rsi', 'rdi', 'r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15'];
/** Nothing follows, or nothing happens. */
const NOTHING = /^(?:jmp|ret|nop|data16|int3|ud2|hlt)|\bnop\b/;
const ENDS = /^(?:jmp|ret|ud2|hlt|int3)/;
/** Vectors set flags by these only. */
const SETS_FLAGS = /^v?(?:ptest|testp[sd]|u?comis[sd]|pcmp[ei]str[im])/;
const KEEPS_FLAGS = /^(?:not|bswap|xchg|shlx|shrx|sarx|rorx|push|pop)/;
/** With a count of 0, and for the carry, flags stay. */
const KEEPS_SOME = /^(?:inc|dec|sh[lr]|sa[lr]|ro[lr]|rc[lr])/;
const IS_ZERO = /^(?:v?p?xor|v?xorp[sd]|v?psub|sub|v?pcmpeq)/;
/** The other half of a vector stays. */
const MOVES_PART = /^v?(?:mov[hl]p[sd]|mov(?:hl|lh)ps|movs[sd])$/;

export function secretsIn({ instructions, compiler }: MachineFunction): Report {
  const { entry, kept, isTracked, slot, field, isQuiet } = CONVENTIONS[compiler];
  const findings = new Map<string, Finding>();
  const places = new Map(instructions.map(({ offset }, i) => [offset, i]));

  const run = (state: State, instruction: Instruction, before: Instruction | undefined): void => {
    const { offset, op, operands } = instruction;
    const find = (what: Finding['what'], label: Label | undefined): void => {
      if (label === 'secret')
        findings.set(`${offset} ${what}`, { offset, what, instruction: `${op} ${operands.join()}` });
    };
    const register = (name: string): Label => {
      const byte = state.registers.get(`${name}.byte`);
      return allOf([state.registers.get(name) ?? 'secret', ...(byte === undefined ? [] : [byte])]);
    };
    const size = sizeOf(instruction);
    const partsOf = (base: string | undefined, index: string | undefined): Label[] =>
      [base, index].flatMap((name) =>
        name === undefined || name === 'rip' ? [] : [register(registerOf(name) ?? name)],
      );
    const inFrame = (from: number): Label => {
      const own = Array.from({ length: size }, (_, i) => state.frame.get(from + i) ?? 'public');
      return allOf(isTracked ? [...own, ...(state.outgoing === 'secret' ? [state.outgoing] : [])] : own);
    };
    const read = (text: string): Label => {
      const address = addressOf(text);
      if (!address) {
        const name = registerOf(text);
        // A constant of 64 bits is an address of the engine's own data, or goes into a vector.
        if (name === undefined) return isTracked && /^0x[\da-f]{9,}$/.test(text) ? 'pointer' : 'public';
        return isByte(text) ? (state.registers.get(`${name}.byte`) ?? register(name)) : register(name);
      }
      const { base, index, displacement } = address;
      if (base === 'rip') return 'public';
      if (base === 'rbp' || base === 'rsp') {
        if (index !== undefined) {
          find('address', register(registerOf(index) ?? index));
          return allOf([...state.frame.values(), state.outgoing]);
        }
        if (base === 'rbp') return slot(displacement) ?? inFrame(displacement);
        if (state.depth !== undefined) return inFrame(state.depth + displacement);
        return isTracked ? allOf([...state.frame.values(), state.outgoing]) : state.outgoing;
      }
      const labels = partsOf(base, index);
      for (const label of labels) find('address', label);
      return labels.length === 1 && labels[0] === 'pointer' ? field(displacement) : 'secret';
    };
    const write = (text: string, label: Label): void => {
      const address = addressOf(text);
      if (!address) {
        const name = registerOf(text);
        if (name === undefined) return;
        if (isByte(text)) state.registers.set(`${name}.byte`, label);
        else {
          state.registers.set(name, isWord(text) ? joined(register(name), label) : label);
          state.registers.set(`${name}.byte`, state.registers.get(name)!);
        }
        return;
      }
      const { base, index, displacement } = address;
      const at = base === 'rbp' ? 0 : base === 'rsp' ? state.depth : undefined;
      if (at !== undefined && index === undefined)
        for (let i = 0; i < size; i++) state.frame.set(at + displacement + i, label);
      else if (base === 'rsp') state.outgoing = joined(state.outgoing, label);
      else {
        const labels = partsOf(base, index);
        for (const each of labels) find('address', each);
        // Where it would be read again as public.
        if (labels.includes('frame') || (labels.length === 1 && labels[0] === 'pointer')) find('store', label);
      }
    };
    const [first, ...others] = operands;

    if (isConditional(op)) {
      find('branch', state.flags);
      return;
    }
    if (op === 'jmp' || op === 'call') {
      if (registerOf(first) !== undefined || addressOf(first)) find('branch', read(first));
      if (op === 'jmp' || isQuiet(instruction, before)) return;
      for (const name of state.registers.keys())
        if (!kept.has(name.replace('.byte', ''))) state.registers.set(name, 'secret');
      // Engines' own functions fill and copy memory, and say whether that was within it: by addresses and lengths.
      if (registerOf(first) !== undefined) write('rax', 'public');
      state.flags = 'secret';
      return;
    }
    if (NOTHING.test(op)) return;
    if (isTracked && follow(state, instruction, read, write)) return;
    if (op === 'push') return void state.pushed.push(read(first));
    if (op === 'pop') {
      write(first, first === 'rbp' ? 'frame' : (state.pushed.pop() ?? 'public'));
      return;
    }
    if (op.startsWith('rep')) {
      find('length', register('rcx'));
      find('address', register('rdi'));
      return;
    }
    if (/^i?div/.test(op)) {
      const labels = [read(first), register('rax'), register('rdx')];
      for (const label of labels) find('division', label);
      for (const name of ['rax', 'rdx']) write(name, allOf(labels));
      state.flags = 'secret';
      return;
    }
    if (/^i?mul/.test(op) && others.length === 0) {
      state.flags = joined(read(first), register('rax'));
      for (const name of ['rax', 'rdx']) write(name, state.flags);
      return;
    }
    if (op === 'cdq' || op === 'cqo') {
      write('rdx', register('rax'));
      return;
    }
    if (first === undefined) throw new Error(`an instruction without operands that is not known: ${op}`);
    if (op.startsWith('lea')) {
      const { base, index } = addressOf(others[0])!;
      write(first, allOf(partsOf(base, index)));
      return;
    }
    if (op.startsWith('set')) {
      write(first, state.flags);
      return;
    }
    if (op.startsWith('cmov')) {
      write(first, allOf([state.flags, ...operands.map(read)]));
      return;
    }
    if (op === 'xchg') {
      const label = allOf(operands.map(read));
      for (const text of operands) write(text, label);
      return;
    }
    const isVector = /^v/.test(op) || operands.some((text) => /^[xy]mm/.test(text));
    const isMove = /^v?mov|^v/.test(op) && !(MOVES_PART.test(op) && others.length === 1 && !addressOf(others[0]));
    const isZero = others.length > 0 && IS_ZERO.test(op) && operands.every((text) => text === operands.at(-1));
    const sources = isMove ? (op.startsWith('v') && others.length === 0 ? operands : others) : operands;
    const label = isZero ? 'public' : allOf(sources.map(read));
    if (SETS_FLAGS.test(op)) {
      state.flags = allOf(operands.map(read));
      return;
    }
    if (!isMove && !isVector && !KEEPS_FLAGS.test(op))
      state.flags = KEEPS_SOME.test(op) ? joined(state.flags, label) : label;
    if (/^(?:cmp|test)/.test(op) && !isVector) return;
    write(first, label);
  };

  // The ways from the start: parameters are public, and registers that are none have nothing of the caller's secrets.
  const start = new State();
  for (const name of REGISTERS) start.registers.set(name, 'public');
  for (const [name, label] of Object.entries(entry)) start.registers.set(name, label);
  // BBQ's functions have another beginning for those who are in a loop, by another compiler.
  const starts = instructions.flatMap(({ op, operands }, i) => {
    const [next] = instructions.slice(i + 1, i + 2);
    const isStart = isTracked && op === 'push' && operands[0] === 'rbp' && next?.operands.join() === 'rbp,rsp';
    return i === 0 || isStart ? [i] : [];
  });
  const states = new Map(starts.map((i) => [i, new State(start)]));
  const queue = [...starts];
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
      run(state, instruction, instructions.at(i - 1));
      const { op, target } = instruction;
      if (isJump(op)) {
        const to = target === undefined ? undefined : places.get(target);
        // To code of the engine's own, which throws or goes on in another function.
        const isOutside =
          isTracked &&
          (target === undefined
            ? registerOf(instruction.operands[0]) !== undefined
            : target < 0 || target > instructions.at(-1)!.offset);
        if (to === undefined && !isOutside)
          throw new Error(`a jump whose target is not known: ${op} ${instruction.operands.join()}`);
        if (to !== undefined) goTo(to, state);
      }
      if (ENDS.test(op)) break;
    }
  }
  const own = instructions.filter((_, i) => reached.has(i));
  const unreached = instructions.filter(({ op }, i) => !reached.has(i) && !NOTHING.test(op)).length;
  return { ...countsOf(own), unreached, loops: loopsOf(own), findings: [...findings.values()] };
}

/** Follows the stack pointer, from the frame pointer on. Returns whether that was all that the instruction does. */
function follow(
  state: State,
  { op, operands: [to, from] }: Instruction,
  read: (text: string) => Label,
  write: (text: string, label: Label) => void,
): boolean {
  if (op === 'push') {
    const label = read(to);
    if (state.depth === undefined) state.outgoing = joined(state.outgoing, label);
    else {
      state.depth -= 8;
      for (let i = 0; i < 8; i++) state.frame.set(state.depth + i, label);
    }
    return true;
  }
  if (op === 'pop') {
    const bytes = [...state.frame].filter(
      ([at]) => state.depth === undefined || (at >= state.depth && at < state.depth + 8),
    );
    const label = allOf([state.outgoing, ...bytes.map(([, each]) => each)]);
    if (state.depth !== undefined) state.depth += 8;
    write(to, to === 'rbp' ? 'frame' : label);
    return true;
  }
  if (op === 'leave') {
    state.depth = undefined;
    return true;
  }
  if (op === 'mov' && to === 'rbp' && from === 'rsp') {
    // Registers saved before are the caller's.
    state.frame.clear();
    state.depth = 0;
    return true;
  }
  if (to !== 'rsp' || /^(?:cmp|test)/.test(op)) return false;
  const constant = /^-?0x[\da-f]+$/.test(from) ? Number(BigInt.asIntN(64, BigInt(from))) : undefined;
  const address = addressOf(from);
  if (op === 'sub' && constant !== undefined && state.depth !== undefined) state.depth -= constant;
  else if (op === 'add' && constant !== undefined && state.depth !== undefined) state.depth += constant;
  else if (op === 'mov' && from === 'rbp') state.depth = 0;
  else if (op === 'lea' && address?.base === 'rbp' && address.index === undefined) state.depth = address.displacement;
  else if (op === 'lea' && address?.base === 'rsp' && address.index === undefined && state.depth !== undefined)
    state.depth += address.displacement;
  else state.depth = undefined;
  return true;
}
