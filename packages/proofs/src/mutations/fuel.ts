/**
 * Modules that stop: each call and each loop iteration decrements a counter, and traps when it is 0. The engine can
 * then run mutants that would run for ever.
 */
import { signed, unsigned } from '../../../lanewise/src/wasm/types.ts';
import { Reader } from '../wasm/reader.ts';
import type { DecodedModule } from '../wasm/types.ts';
import { edited, type Edit } from './patch.ts';

const GLOBAL = 6;
/** if (counter == 0) unreachable; counter -= 1 */
const TAKE = '\x23\x00\x45\x04\x40\x00\x0b\x23\x00\x41\x01\x6b\x24\x00';
/** `loop`, and the type of the block. */
const LOOP_BYTES = 2;

/** The module with a mutable i32 global that starts with the fuel, before the section of exports. */
function withCounter(bytes: Uint8Array, fuel: number): Uint8Array<ArrayBuffer> {
  const reader = new Reader(bytes, 8);
  let at = reader.at;
  while (reader.byte() < GLOBAL) {
    reader.part(reader.u32());
    at = reader.at;
  }
  const content = '\x01\x7f\x01\x41' + signed(fuel) + '\x0b';
  const section = String.fromCharCode(GLOBAL) + unsigned(content.length) + content;
  const added = Array.from(section, (character) => character.charCodeAt(0));
  return Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at)]);
}

export function withFuel(bytes: Uint8Array, { functions }: DecodedModule, fuel: number): Uint8Array<ArrayBuffer> {
  const edits = functions.flatMap(({ code }): Edit[] => [
    { at: code[0].at, removed: 0, code: TAKE },
    ...code.flatMap(({ op, at }) => (op === 'loop' ? [{ at: at + LOOP_BYTES, removed: 0, code: TAKE }] : [])),
  ]);
  return withCounter(edited(bytes, functions, edits), fuel);
}
