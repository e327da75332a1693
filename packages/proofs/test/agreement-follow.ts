/** Programs that go where their input leads: the machine is given the values to follow. */
import * as control from '../../lanewise/src/wasm/control.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import * as v128 from '../../lanewise/src/wasm/v128.ts';
import type { Expression } from '../../lanewise/src/wasm/types.ts';
import { input, output, OUTPUT, program, raw, type Program } from './agreement-opcodes.ts';

const word = (slot: number): Expression<'i32'> => input('i32', slot);
const few = (slot: number): Expression<'i32'> => i32.and(word(slot), 15);

export const followingPrograms = (): Program[] => [
  program('branches', (frame) => {
    const [n, sum] = frame.locals('i32', 2);
    return [
      control.set(n, few(0)),
      control.block(
        control.sequence(
          control.breakIf(i32.lt_u(word(1), word(2))),
          control.loop(
            control.sequence(
              control.set(sum, i32.add(i32.mul(sum, 5), word(1))),
              control.when(i32.and(sum, 1), control.set(sum, i32.xor(sum, word(2))), control.set(sum, i32.add(sum, 1))),
            ),
            control.tee(n, i32.sub(n, i32.ne(n, 0))),
          ),
        ),
      ),
      output('i32', OUTPUT, sum),
    ];
  }),
  program('addresses', () => [
    output('i32', OUTPUT, i32.load8_u(few(0), 40)),
    i32.store_unaligned(i32.add(OUTPUT + 8, few(1)), 3, word(2)),
    control.copy(i32.add(OUTPUT + 40, few(0)), few(1), few(2)),
    control.fill(i32.add(OUTPUT + 80, few(2)), word(0), few(1)),
  ]),
  program('choices', () => [
    output('i32', OUTPUT, raw(word(0), word(1), i32.lt_u(word(2), word(3)), '\x1b')),
    output('i32', OUTPUT + 4, raw(word(0), i32.or(word(1), 1), '\x6e')),
    output('i32', OUTPUT + 8, raw(word(0), i32.add(few(1), 1), '\x6f')),
    output('v128', OUTPUT + 12, v128.i8x16_swizzle(input('v128', 0), input('v128', 1))),
  ]),
];
