/** Tools that make the faults of the kill matrix. */
import { when } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import type { Expression, Local, Operand, Statement } from '../../../lanewise/src/wasm/types.ts';
import { end, functionOf, inserted, start, type Place, type Plant } from './plant.ts';

/** For each kernel and kind of claims, a fault that claims of no other kind find. */
export type KillMatrix = Readonly<Record<string, Readonly<Record<string, Plant>>>>;

/** 1 if a number has one value, else 0, without a comparison. */
export function ifEqual(n: Local<'i32'>, value: number): Expression<'i32'> {
  const x = i32.xor(n, value);
  return i32.xor(i32.shr_u(i32.or(x, i32.sub(0, x)), 31), 1);
}

export const flip = (address: number): Statement => i32.store(0, address, i32.xor(i32.load(0, address), 1));
const at = (place: Place) => (name: string, code: Statement) => inserted(functionOf(name), place, code);
export const atStart = at(start);
export const atEnd = at(end);
export const unless = (condition: Operand<'i32'>, otherwise: Statement): Statement =>
  when(i32.eqz(condition), otherwise);
