/**
 * Every function, constructor and method that the library's public modules give, each with a call that is right: with all of its
 * arguments, on an object of its own. They are named `door.name`, `door.name.property` or `Type.method`; `library/calls-table.test.ts`
 * finds by reflection that none is missing.
 */
import type { Call } from './call.ts';
import { partsOf } from './rooms.ts';

type Calls = Readonly<Record<string, Call>>;

export const calls = Object.assign({}, ...(await partsOf<Calls>('calls', 'calls'))) as Calls;
