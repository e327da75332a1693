/** Numbers in the modules that ship: each is on a list with its reason, so a fault that needs another one is refused. */
import { expect, it } from 'vitest';
import { goldenNumbers } from '../src/lints/module-numbers-golden.ts';
import {
  listedNumbers,
  MISSING,
  moduleNumberFindings,
  numbersIn,
  shippedModules,
} from '../src/lints/module-numbers.ts';
import { moduleFaults } from '../src/mutations/module-faults.ts';

const modules = shippedModules();
const listed = listedNumbers();

it('all are on the list, and all have reasons', () => {
  expect(moduleNumberFindings(modules, listed)).toEqual([]);
});

it.each(moduleFaults)('$file: $planted', ({ file, from, to }) => {
  expect(modules[file]).toContain(from);
  const faulty = { [file]: modules[file].replace(from, () => to) };
  expect(moduleNumberFindings(faulty, { [file]: listed[file] ?? {} })).not.toEqual([]);
  // The command that writes the list gives new numbers no reason.
  if (to !== '0') expect(Object.values(goldenNumbers(faulty, listed)[file])).toContain(MISSING);
});

it.each<[what: string, text: string, found: string[]]>([
  ['a number', 'if (x === 3333) y();', ['if (x === 3333)']],
  ['none below 256', 'x = 255 + y;', []],
  ['a product, which is compared', 'const x = y > 16 * 17;', ['x = y > 16 * 17', 'x = y > 16 * 17']],
  ['a power', 'f(y, 2 ** 8);', ['f(y, 2 ** 8)']],
  ['a negative one', 'f(-256);', ['f(-256)']],
  ['a complement', 'x = y & ~255;', ['x = y & ~255']],
  ['a bigint', 'x = y > 256n;', ['x = y > 256n']],
  ['a text that is a number', "x = y > +'0x100';", ["x = y > +'0x100'"]],
  ['a long shift', 'x = y >>> 8;', ['x = y >>> 8']],
  ['no short one', 'x = y >>> 6;', []],
  ['a computed constant that is compared', 'x = y > 3 * BLOCK;', ['x = y > 3 * BLOCK']],
  ['no constant by itself', 'x = y > BLOCK;', []],
  ['no type', 'let x: 3333 | 4444;', []],
])('finds %s', (_, text, found) => {
  expect(numbersIn('file.ts', text)).toEqual(found);
});
