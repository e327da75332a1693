/**
 * Two hundred objects of all families at work by turns, their bytes in buffers of every kind, on an engine that changes between
 * their steps: each gives the results of other implementations, and nothing is written anywhere else.
 */
import { describe as chosen, select } from '../../src/engine.ts';
import { engines } from './engines.ts';
import type { Actor, Family } from './interleaved/actor.ts';
import { Kit } from './interleaved/kit.ts';
import type { Native } from './interleaved/natives.ts';
import type { Property } from './properties.ts';
import { partsOf } from './rooms.ts';

const OBJECTS = 200;

const families = (await partsOf<readonly Family[]>('interleaved', 'families')).flat();

/** Runs `steps` steps, and returns the number of comparisons. In three of four runs the engine may change at each of them. */
export function interleave(seed: number, steps: number, natives: readonly Native[]): number {
  const kit = new Kit(seed, natives);
  const { random } = kit;
  const make = (): Actor => random.pick(families)(kit);
  select(random.pick(engines));
  const changes = !random.once(4);
  const objects: Actor[] = [];
  const alive = Math.min(OBJECTS, steps);
  for (let step = 0; step < steps; step++) {
    if (changes && random.once(3)) select(random.pick([...engines, 'auto' as const]));
    const at = random.below(alive);
    let name = 'an object that is made';
    try {
      const object = (objects[at] ??= make());
      name = object.name;
      if (!object.step()) objects[at] = make();
      kit.settle();
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`step ${step}, object ${at}, ${name}, on ${chosen().engine}: ${what}`, { cause: error });
    }
  }
  kit.finish();
  return kit.compared;
}

export function interleavedProperties(
  natives: readonly Native[],
  told: (compared: number) => void,
): readonly Property[] {
  const run = (cases: number, seed: number): void => {
    try {
      told(interleave(seed, cases, natives));
    } catch (error) {
      // The seed in fast-check's format, so that the case can be repeated.
      throw new Error(`seed ${seed}, ${cases} steps: ${(error as Error).message}`, { cause: error });
    } finally {
      select('auto');
    }
  };
  return [{ name: 'objects of all families, interleaved, in buffers of every kind', share: 100, run }];
}
