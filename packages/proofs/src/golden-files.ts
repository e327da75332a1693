/** Files of JSON that each room has, by kernel. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedRoom } from './rooms.ts';

type ByKernel<T> = Readonly<Record<string, T>>;

/** The content of a room's file; empty where the room is new. */
export function savedIn<T>({ folder }: Pick<NamedRoom, 'folder'>, file: string): ByKernel<T> {
  const path = join(folder, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ByKernel<T>) : {};
}

export const saveIn = ({ folder }: NamedRoom, file: string, content: ByKernel<unknown>): void =>
  writeFileSync(join(folder, file), JSON.stringify(content, null, 2) + '\n');
