/** Blobs as sources of streams: some hosts read them by slices, and give their memory back. */
import { describe, it } from 'vitest';
import { agePayload } from '../../src/stream.ts';
import { expectBytes, sample } from '../support/bytes.ts';
import { all } from '../support/stream.ts';

const key = sample(32, 71);

describe('a Blob', () => {
  const bytes = sample(2_500_001, 77);
  const sealed = all(agePayload(key).encrypt(bytes));

  it('of several slices is read whole, and stays as it is', async () => {
    const blob = new Blob([(await sealed).slice()]);
    for (const time of ['the first time', 'the second'])
      expectBytes(await all(agePayload(key).decrypt(blob)), bytes, time);
    expectBytes(new Uint8Array(await blob.arrayBuffer()), await sealed, 'the Blob');
  });

  it('whose functions are not those of the host is read by its own stream, whose memory stays', async () => {
    const its = (await sealed).slice();
    const blob = Object.defineProperty(new Blob([its]), 'stream', {
      value: () =>
        new ReadableStream({
          start(controller) {
            controller.enqueue(its);
            controller.close();
          },
        }),
    });
    expectBytes(await all(agePayload(key).decrypt(blob)), bytes, 'plaintext');
    expectBytes(its, await sealed, 'the memory of the stream');
  });
});
