/** The steps of a module's functions. */
import { Bases } from '../execute/bases.ts';
import { bits64 } from '../execute/bits64.ts';
import { Run } from '../execute/run.ts';
import { wordOperations } from '../execute/words.ts';
import { add, type Term, variable } from '../terms/term.ts';
import type { DecodedFunction, DecodedModule, Instruction } from '../wasm/types.ts';
import { Recorder, word, type Locals, type Steps } from './steps.ts';
import { Untranslatable } from './untranslatable.ts';

/** The locals that each branch and loop sets, in the order in which they begin. */
export function setsIn({ code }: DecodedFunction): ReadonlySet<number>[] {
  const open: Set<number>[] = [];
  const all: Set<number>[] = [];
  for (const step of code) {
    if (step.op === 'if' || step.op === 'loop') {
      const sets = new Set<number>();
      open.push(sets);
      all.push(sets);
    } else if (step.op === 'end') open.pop();
    else if (step.op === 'local.set' || step.op === 'local.tee') for (const sets of open) sets.add(step.local);
  }
  return all;
}

export function stepsOfModule(
  { functions }: DecodedModule,
  { type, locals: types, code }: DecodedFunction,
  sets: readonly ReadonlySet<number>[],
): Steps {
  const recorder = new Recorder(sets);
  const run = new Run<Term>({
    integers64: bits64,
    follow: undefined,
    memoryBytes: 0,
    memorySecret: true,
    bases: new Bases(),
    assume: undefined,
  });
  const locals: Locals = new Map(
    types.map((_, i) => [i, i < type.parameters.length ? variable(32, `parameter ${i}`, true) : word(0)]),
  );

  /** Runs instructions from `from` up to `to`; a branch back at the end of a loop gives its condition. */
  function walk(from: number, to: number): Term | undefined {
    let again: Term | undefined;
    for (let i = from; i < to; i++) {
      const step = code[i];
      run.instruction = step;
      if (again) throw new Untranslatable('an instruction after a branch back', step.at);
      switch (step.op) {
        case 'if': {
          const condition = [run.word()];
          const elseAt = step.otherwise;
          const walkAll = (start: number, end: number) => (): void => void walk(start, end);
          const otherwise = elseAt === step.end ? () => undefined : walkAll(elseAt + 1, step.end);
          recorder.branch(locals, condition, walkAll(i + 1, elseAt), otherwise);
          i = step.end;
          break;
        }
        case 'loop': {
          recorder.loop(locals, () => {
            const condition = walk(i + 1, step.end);
            if (!condition) throw new Untranslatable('a loop without end', step.at);
            return [condition];
          });
          i = step.end;
          break;
        }
        case 'br_if':
          if (step.opens !== from - 1 || code[step.opens].op !== 'loop') throw new Untranslatable(step.op, step.at);
          again = run.word();
          break;
        default:
          simple(step);
      }
    }
    return again;
  }

  const address = (offset: number): Term => add(run.word(), word(offset));

  function simple(step: Instruction): void {
    switch (step.op) {
      case 'local.get':
        run.push(locals.get(step.local)!);
        return;
      case 'local.set':
        locals.set(step.local, run.word());
        return;
      case 'local.tee':
        locals.set(step.local, run.stack.at(-1) as Term);
        return;
      case 'i32.const':
        run.push(word(step.value));
        return;
      case 'i32.load':
        run.push(step.align === 2 ? recorder.load(4, address(step.offset)) : recorder.loadBytes(address(step.offset)));
        return;
      case 'i32.load8_u':
        run.push(recorder.load(1, address(step.offset)));
        return;
      case 'i32.store8':
      case 'i32.store': {
        const value = run.word();
        const to = address(step.offset);
        if (step.op === 'i32.store8') recorder.store(1, to, value);
        else if (step.align === 2) recorder.store(4, to, value);
        else recorder.storeBytes(to, value);
        return;
      }
      case 'memory.fill': {
        const [length, value, from] = [run.word(), run.word(), run.word()];
        recorder.take({ kind: 'fill', from, to: add(from, length), value });
        return;
      }
      case 'memory.copy': {
        const [length, from, target] = [run.word(), run.word(), run.word()];
        recorder.take({ kind: 'copy', target, from, to: add(from, length) });
        return;
      }
      case 'call': {
        const { type: called } = functions[step.callee];
        const operands = called.parameters.map(() => run.word()).reverse();
        const result = recorder.call(String(step.callee), operands);
        if (called.results.length > 0) run.push(result);
        return;
      }
      case 'end':
        return;
      default: {
        const operation = wordOperations[step.op];
        if (!operation) throw new Untranslatable(step.op, step.at);
        operation(run, step);
      }
    }
  }

  walk(0, code.length);
  const result = type.results.length > 0 ? run.word() : undefined;
  return { steps: recorder.steps, locals, result };
}
