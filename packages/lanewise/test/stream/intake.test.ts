/** Bytes of a source come in their order, also if some were put back, and others come while those are read. */
import { expect, it } from 'vitest';
import { Intake } from '../../src/io/intake.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

it('what comes while a range that was put back is read waits for it', async () => {
  const comings = [Promise.withResolvers<Uint8Array | undefined>(), Promise.withResolvers<Uint8Array | undefined>()];
  let reads = 0;
  const intake = new Intake({
    read: () => comings[reads++].promise,
    close: () => undefined,
    cancel: () => Promise.resolve(),
  });
  // Threads ask for more, and stop: a range of theirs is put back.
  const asked = intake.read();
  const range = Promise.withResolvers<Uint8Array>();
  intake.putBack([{ from: 0, to: 2, file: undefined, read: () => range.promise }]);
  const read = intake.read();
  comings[0].resolve(bytes(3, 4, 5));
  expect(await asked).toBe(true);
  range.resolve(bytes(1, 2));
  expect(await read).toBe(true);

  const taken: number[] = [];
  comings[1].resolve(undefined);
  do {
    taken.push(...intake.view(intake.left));
    intake.taken(intake.left);
  } while (await intake.read());
  expect(taken).toEqual([1, 2, 3, 4, 5]);
});
