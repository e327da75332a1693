/**
 * The functions of a text beside those of modules. A text is generated from a module in which words of 64 bits are two of 32, and Poly1305
 * has doubles; all else is built as the scalar module is. So each function of a text takes the steps of one of the scalar module, about which all
 * lengths are claimed, or is one of the text's own, about which the same is claimed of the text, or of its module.
 */
import { parse } from '../javascript/parse.ts';
import { scalarOf, type KernelText } from '../javascript/texts.ts';
import { translated } from '../javascript/translation.ts';
import { proofsOf } from '../rooms.ts';
import { decode } from '../wasm/decode.ts';
import type { DecodedFunction, DecodedModule, Instruction } from '../wasm/types.ts';
import { counted } from './amounts.ts';
import { require, type Claim } from './claim.ts';

const namesOf = (functions: readonly DecodedFunction[]): string =>
  functions.map(({ name, index }) => name ?? index).join(', ');

const plain = ({ at: _, ...instruction }: Instruction): string =>
  JSON.stringify(instruction, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** Whether two functions are the same, instruction for instruction, whatever functions they call in the same places. */
const areSame = (f: DecodedFunction, g: DecodedFunction): boolean =>
  f.locals.join() === g.locals.join() &&
  f.code.length === g.code.length &&
  f.code.every((step, i) => (step.op === 'call' ? g.code[i].op === 'call' : plain(step) === plain(g.code[i])));

/**
 * The functions of a module that are those of another one: exported functions of one name, and functions that these call in the same places.
 * A function that stands for two of the other module is none of them.
 */
export function sameFunctions(module: DecodedModule, other: DecodedModule): DecodedFunction[] {
  const partners = new Map<number, Set<number>>();
  const found = new Set<DecodedFunction>();
  const visit = (f: DecodedFunction, g: DecodedFunction): void => {
    const its = partners.get(f.index) ?? new Set();
    partners.set(f.index, its);
    if (its.has(g.index)) return;
    its.add(g.index);
    if (f.type.parameters.join() !== g.type.parameters.join() || !areSame(f, g)) return;
    found.add(f);
    f.code.forEach((step, i) => {
      const its = g.code[i];
      if (step.op === 'call' && its.op === 'call') visit(module.functions[step.callee], other.functions[its.callee]);
    });
  };
  for (const f of module.functions) {
    const g = f.name === undefined ? undefined : other.functions.find(({ name }) => name === f.name);
    if (g) visit(f, g);
  }
  return [...found].filter(({ index }) => partners.get(index)!.size === 1);
}

const functionsClaim = (text: KernelText): Claim => ({
  kernel: text.name,
  claim: 'functions: those of the scalar module, instruction for instruction, but for a number of its own',
  prove() {
    const module = decode(text.moduleBytes());
    const same = sameFunctions(module, decode(scalarOf(text).bytes));
    const own = module.functions.filter((f) => !same.includes(f));
    const { functions } = proofsOf(text.family).ownInText ?? { functions: 0 };
    require(own.length === functions, () =>
      `${own.length} functions are its own, and not ${functions}: ${namesOf(own)}`);
    counted('functions', same.length);
    counted(
      'instructions',
      same.reduce((sum, { code }) => sum + code.length, 0),
    );
  },
});

/** From any state, with any parameters: javascript/translation.ts. */
const translationClaim = (text: KernelText): Claim => ({
  kernel: text.name,
  claim: "translation: each function takes the steps of the module's, but for some of its own in doubles",
  prove() {
    const module = decode(text.moduleBytes());
    const { functions, doubles, steps } = translated(module, parse(text.text));
    const { inDoubles = 0 } = proofsOf(text.family).ownInText ?? {};
    require(doubles.length === inDoubles, () =>
      `${doubles.length} functions compute in doubles, and not ${inDoubles}: ${namesOf(doubles)}`);
    require(functions.length + inDoubles === module.functions.length, () => 'a function is never called');
    counted('functions', functions.length);
    counted('steps', steps);
  },
});

/** The claims that connect a text with the modules about which all lengths are claimed. */
export const textFunctionsClaims = (text: KernelText): Claim[] => [functionsClaim(text), translationClaim(text)];
