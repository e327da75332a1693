// claims.golden.json of each room: every claim about its kernels, and the amounts that it examines when it is proved.
// So a claim that vanishes or compares less than before is a difference in this file, which somebody must intend. `npm
// run golden` writes it.
import type { Amounts } from './claims/amounts.ts';
import type { Claim } from './claims/claim.ts';
import { savedIn, saveIn } from './golden-files.ts';
import { familyOf } from './kernels.ts';
import { roomOf, rooms } from './rooms.ts';

/**
 * The amounts by kernel and claim, for example `640 bytes, 2 runs`; a claim that examines all of a kernel's bytes has
 * no entry.
 */
export type GoldenClaims = Readonly<Record<string, Readonly<Record<string, string>>>>;

const FILE = 'claims.golden.json';

/** The amounts of coverage claims that count the kernel's bytes, which golden.json already fixes. */
const OF_THE_BYTES = ['places'];

export const textOf = (amounts: Amounts): string =>
  Object.entries(amounts)
    .filter(([unit]) => !OF_THE_BYTES.includes(unit))
    .map(([unit, count]) => `${count} ${unit}`)
    .join(', ');

/** A proved claim, and the amounts that it examined. */
export interface Looked extends Pick<Claim, 'kernel' | 'claim'> {
  readonly amounts: Amounts;
}

/**
 * The new golden amounts: those of proved claims as they are now, of other claims as they were, and of no claim that
 * does not exist.
 */
export function goldenOf(
  every: readonly Pick<Claim, 'kernel' | 'claim'>[],
  proved: readonly Looked[],
  before: GoldenClaims,
): GoldenClaims {
  const found = new Map(proved.map(({ kernel, claim, amounts }) => [`${kernel}: ${claim}`, textOf(amounts)]));
  const golden: Record<string, Record<string, string>> = {};
  for (const { kernel, claim } of every)
    (golden[kernel] ??= {})[claim] = found.get(`${kernel}: ${claim}`) ?? before[kernel]?.[claim] ?? 'not proved';
  return golden;
}

/** The saved claims of all rooms, merged, because several rooms may have claims about one kernel. */
export function savedClaims(): GoldenClaims {
  const golden: Record<string, Record<string, string>> = {};
  for (const room of rooms)
    for (const [kernel, claims] of Object.entries(savedIn<Readonly<Record<string, string>>>(room, FILE)))
      Object.assign((golden[kernel] ??= {}), claims);
  return golden;
}

/** Each claim to the file of its room. */
export function saveClaims(golden: GoldenClaims, every: readonly Pick<Claim, 'kernel' | 'claim' | 'room'>[]): void {
  const byRoom = new Map<string, Record<string, Record<string, string>>>(rooms.map(({ name }) => [name, {}]));
  for (const { kernel, claim, room = roomOf(familyOf(kernel)).name } of every)
    (byRoom.get(room)![kernel] ??= {})[claim] = golden[kernel][claim];
  for (const room of rooms) saveIn(room, FILE, byRoom.get(room.name)!);
}

/** Why a claim that holds is not the one that was last looked at; undefined if it is. */
export function changeOf({ kernel, claim, amounts }: Looked, golden: GoldenClaims): string | undefined {
  const before = golden[kernel]?.[claim];
  const now = textOf(amounts);
  if (before === now) return undefined;
  return before === undefined
    ? 'it is not in claims.golden.json; if it is meant, npm run golden'
    : `it looks at ${now || 'nothing that counts'}, and in claims.golden.json at ${before || 'nothing that counts'}; if that is meant, npm run golden`;
}

/** Claims that there were, and are no more. */
export function vanished(every: readonly Pick<Claim, 'kernel' | 'claim'>[], golden: GoldenClaims): string[] {
  const names = new Set(every.map(({ kernel, claim }) => `${kernel}: ${claim}`));
  return Object.entries(golden)
    .flatMap(([kernel, claims]) => Object.keys(claims).map((claim) => `${kernel}: ${claim}`))
    .filter((name) => !names.has(name));
}
