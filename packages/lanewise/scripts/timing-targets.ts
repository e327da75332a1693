/** Everything that is timed: the targets of each room, found by folder. */
import { partsOf } from '../test/support/rooms.ts';
import type { Target } from '../test/support/timing.ts';

export type { Target };
export const targets: readonly Target[] = (await partsOf<readonly Target[]>('timing', 'targets')).flat();
