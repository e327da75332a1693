/** Every public function that takes bytes, with right values, as a table. */
import { partsOf } from './rooms.ts';
import type { Subject } from './subject.ts';

export const subjects: readonly Subject[] = (await partsOf<readonly Subject[]>('subjects', 'subjects')).flat();
