/** For each kind of claims, a fault that no other kind finds. */
import * as stream from '../../../../lanewise/src/keystream/map.ts';
import { set, when } from '../../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import { unsigned, type Statement } from '../../../../lanewise/src/wasm/types.ts';
import { atEnd, atStart, flip, ifEqual, type KillMatrix } from '../../mutations/kill-tools.ts';
import { beforeCallOf, conditionOn, end, functionOf, inserted, parameter, type Plant } from '../../mutations/plant.ts';
import { decode } from '../../wasm/decode.ts';

/** Their first operands are on the stack already. */
const [I32_AND, I32_NE] = ['\x71', '\x47'];

/** A different alignment hint, which has the same meaning. */
const hint: Plant = (kernel) => {
  const load = decode(kernel.bytes).functions[0].code.find((step) => step.op === 'i32.load')!;
  const bytes = Uint8Array.from(kernel.bytes);
  bytes[load.at + 1] = 0;
  return { ...kernel, bytes };
};

/** A byte that is in memory from the start, where additional data will be. */
const dataOverInput: Plant = (kernel) => {
  const segment = '\x01\x00' + i32.value(stream.AAD) + '\x0b\x01\x2a';
  const section = '\x0b' + unsigned(segment.length) + segment;
  return {
    ...kernel,
    bytes: Uint8Array.from([...kernel.bytes, ...Array.from(section, (character) => character.charCodeAt(0))]),
  };
};

/** The verdict is not returned directly but after an operation that keeps it; another operation could change it. */
const touchedVerdict = inserted(functionOf('verify'), end, i32.value(1) + I32_AND);

const swapped = (x: number, y: number): Statement => {
  const [first, second] = [x, y].map(parameter);
  const SET = '\x21';
  return (first + second + SET + unsigned(x) + SET + unsigned(y)) as Statement;
};

const chacha: Readonly<Record<string, Plant>> = {
  golden: hint,
  lints: dataOverInput,
  'constant time': touchedVerdict,
  // A length that no claim about results has, and no branch.
  'public numbers': atStart('finish', set(parameter(2), i32.add(parameter(2), ifEqual(parameter(2), 61)))),
  // A length that no claim about results has.
  coverage: atEnd('seal', when(i32.eq(parameter(2), 62), i32.store(0, stream.STAGE, 0))),
  // Only keys of 16 bytes have this constant.
  keystream: atStart('xor', when(i32.eq(parameter(0), stream.SHORT_KEY), flip(stream.STATE + 16))),
  // One of the compared tags is at an address that is not a multiple of four.
  "the AEAD's cipher": atStart('verify', set(parameter(0), i32.and(parameter(0), -4))),
  'chacha20-poly1305': atStart('finish', swapped(1, 3)),
  // A fault for nonces of 24 bytes only, in the tag, which the claims about the cipher do not cover.
  'xchacha20-poly1305': inserted(
    functionOf('seal'),
    beforeCallOf('finish'),
    i32.store(0, stream.POLY, i32.xor(i32.load(0, stream.POLY), i32.and(parameter(0), 2))),
  ),
  // Additional data are wiped at all lengths but one.
  'left in memory': inserted(functionOf('seal'), conditionOn(1), i32.value(62) + I32_NE),
};

export const chachaKills: KillMatrix = { 'chacha short scalar': chacha };
