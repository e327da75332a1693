/** A stream that waits for its source is not garbage, also if the source does not hold its reader, as Chromium's stream of a Blob. */
// Runs in Node only: garbage is collected by --expose-gc.
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const room = new URL('../../src/stream.ts', import.meta.url).href;

it('waits for a byte stream that nothing else holds', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--expose-gc',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      `import { chunked } from '${room}';
      const key = new Uint8Array(32);
      let controller;
      /** A source that holds its controller while it has bytes to give, and not while it waits. */
      const source = () => new ReadableStream({
        type: 'bytes',
        pull(its) {
          if (controller) return;
          controller = new WeakRef(its);
          return new Promise(() => {});
        },
      });
      const work = async () => {
        const sealed = await new Response(chunked(key).encrypt(source())).arrayBuffer();
        console.log(sealed.byteLength);
      };
      void work();
      for (let i = 0; i < 20; i++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        gc();
      }
      const its = controller.deref();
      if (its) {
        its.enqueue(new Uint8Array(100));
        its.close();
      } else console.log('garbage');
      setTimeout(() => {}, 200);`,
    ],
    { encoding: 'utf8' },
  );
  // A header of 56 bytes, and a tag.
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${56 + 100 + 16}\n`, stderr: '' });
});
