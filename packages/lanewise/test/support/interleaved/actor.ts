/** An object of the library at work, beside its expected results. */
import type { Kit } from './kit.ts';

export interface Actor {
  readonly name: string;
  /** Does one thing and compares the result. False: the object has ended. */
  readonly step: () => boolean;
}

/** Makes an object with random arguments. */
export type Family = (kit: Kit) => Actor;
