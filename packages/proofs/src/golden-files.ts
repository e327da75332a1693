/** Files of JSON that each room has, by kernel. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { familyOf } from './kernels.ts';
import type { NamedRoom } from './rooms.ts';

type ByKernel<T> = Readonly<Record<string, T>>;

/** What a file of a room says; nothing where the room is new. */
export function savedIn<T>({ folder }: NamedRoom, file: string): ByKernel<T> {
  const path = join(folder, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ByKernel<T>) : {};
}

export const saveIn = ({ folder }: NamedRoom, file: string, content: ByKernel<unknown>): void =>
  writeFileSync(join(folder, file), JSON.stringify(content, null, 2) + '\n');

/** The kernels that a room has the proofs of. */
export const ofRoom = <T>({ modules }: NamedRoom, all: ByKernel<T>): ByKernel<T> =>
  Object.fromEntries(Object.entries(all).filter(([kernel]) => Object.hasOwn(modules, familyOf(kernel))));

export const merged = <T>(parts: readonly ByKernel<T>[]): ByKernel<T> => Object.assign({}, ...parts) as ByKernel<T>;
