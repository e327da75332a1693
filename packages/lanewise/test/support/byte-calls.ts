/** Every public call that gives bytes to a kernel, as one table: objects are made, used and ended within the call. */
import type { Call, Family } from './byte-call.ts';
import { partsOf } from './rooms.ts';

const families = (await partsOf<readonly Family[]>('bytes', 'families')).flat();

/** All calls with a message of `length` bytes. */
export const callsOf = (length: number): Call[] => families.flatMap((family) => family(length));
