/**
 * The rooms of the prover, found by their folders in `rooms/`. Rooms do not import this, nor anything that does: it loads
 * them, and they would wait for one another.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Family } from './kernels.ts';
import type { ModuleProofs, Room } from './rooms/room.ts';

const directory = join(import.meta.dirname, 'rooms');

export interface NamedRoom extends Room {
  readonly name: string;
  readonly folder: string;
}

async function load(name: string): Promise<NamedRoom> {
  const folder = join(directory, name);
  const { room } = (await import(pathToFileURL(join(folder, 'room.ts')).href)) as { readonly room: Room };
  return { name, folder, ...room };
}

/** Every folder with a `room.ts`, in alphabetical order. */
export const rooms: readonly NamedRoom[] = await Promise.all(
  readdirSync(directory)
    .filter((name) => existsSync(join(directory, name, 'room.ts')))
    .sort()
    .map(load),
);

/** The room that has the proofs of a module. */
export function roomOf(family: Family): NamedRoom {
  const room = rooms.find(({ modules }) => Object.hasOwn(modules, family));
  if (!room) throw new Error(`no room in packages/proofs/src/rooms has proofs of ${family}`);
  return room;
}

export const proofsOf = (family: Family): ModuleProofs => roomOf(family).modules[family];

/** The places of a kernel that claims about results do not reach. */
export const exceptionsOf = (kernel: string): string[] =>
  rooms.flatMap(({ exceptions }) =>
    exceptions.filter(({ kernels }) => kernels.includes(kernel)).flatMap(({ places }) => places),
  );
