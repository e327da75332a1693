// Runs a text in the language of the generated files natively, in V8.
import { stripTypeScriptTypes } from 'node:module';
import { compileFunction } from 'node:vm';
import { INTRINSICS, type Intrinsic } from './intrinsics.ts';

export type Functions = Record<string, (...parameters: number[]) => unknown>;

/** The functions of a text over a memory, with the library's own intrinsics. */
export function inV8(text: string, memory: ArrayBuffer, intrinsics: Readonly<Record<Intrinsic, unknown>>): Functions {
  const plain = stripTypeScriptTypes(text)
    .replace(/^import .*$/gm, '')
    .replace('export function', 'return function');
  const load = compileFunction(plain, [...INTRINSICS]) as (...values: unknown[]) => (memory: ArrayBuffer) => Functions;
  return load(...INTRINSICS.map((name) => intrinsics[name]))(memory);
}
