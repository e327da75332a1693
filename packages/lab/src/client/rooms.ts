/** The rooms in the order in which their contests run, and their kernels. */
import type { KernelForm } from '../kernels/form.ts';
import { found } from '#rooms';
import type { Operation } from './operation.ts';
import type { Room, RoomContests } from './room.ts';

const orderOf = ({ contests }: Room): number => contests.order ?? Number.MAX_SAFE_INTEGER;

export const rooms: readonly Room[] = [...found].sort(
  (a, b) => orderOf(a) - orderOf(b) || (a.name < b.name ? -1 : Number(a.name > b.name)),
);

export const operations: readonly Operation[] = rooms.flatMap((room) => room.operations);

/** The entries of one axis from every room, in the order of the rooms. */
export const entries = <T>(of: (contests: RoomContests) => readonly T[] | T | undefined): readonly T[] =>
  rooms.flatMap(({ contests }) => of(contests) ?? []);

/** The library's kernels, without the public API around them. */
export async function kernelForms(): Promise<readonly KernelForm[]> {
  const all = await Promise.all(rooms.map(({ kernels }) => kernels()));
  return all.flatMap(({ ours }) => ours);
}

/** Those of an operation. */
export const formsOf = async ({ id }: Operation): Promise<readonly KernelForm[]> =>
  (await kernelForms()).filter(({ operation }) => operation === id);

/** Kernels kept for study: those under these names, or all. */
export async function studyForms(names?: readonly string[]): Promise<readonly KernelForm[]> {
  const all = await Promise.all(rooms.map(({ kernels }) => kernels()));
  return all.flatMap(({ studies = {} }) => (names ?? Object.keys(studies)).flatMap((name) => studies[name] ?? []));
}
