/** Calls that take ways through the public modules that no recorded call takes: `rooms/<room>/branches.ts` has them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from '../src/claims/recorded.ts';

export type Call = (library: Library) => unknown;

export interface BranchCalls {
  /** Calls that do not use memory, and so are not recorded: options, ends, empty inputs. */
  readonly ordinary: readonly Call[];
  /** Refused, before any work. */
  readonly refused: readonly Call[];
}

export const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
export const nonce = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(7);
export const ones = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(1);
export const none = new Uint8Array(0);
/** The most bytes that go into one call. */
export const STAGE = 122_880;

/** An object that is destroyed is asked once more. */
export const destroyed = <T extends { destroy(): void }>(object: T, use: (object: T) => unknown): unknown => {
  object.destroy();
  return use(object);
};
const folder = join(import.meta.dirname, 'rooms');

/** Those of all rooms. */
export async function branchCalls(): Promise<BranchCalls> {
  const files = readdirSync(folder)
    .map((room) => join(folder, room, 'branches.ts'))
    .filter((file) => existsSync(file));
  const all = (await Promise.all(files.map((file) => import(file)))) as BranchCalls[];
  return { ordinary: all.flatMap(({ ordinary }) => ordinary), refused: all.flatMap(({ refused }) => refused) };
}
