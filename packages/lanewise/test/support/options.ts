/** Every call that takes options, with its options. */
import type { OptionsCall } from './options-call.ts';
import { partsOf } from './rooms.ts';

export const optionsCalls: readonly OptionsCall[] = (
  await partsOf<readonly OptionsCall[]>('options', 'optionsCalls')
).flat();
