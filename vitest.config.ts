import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { notOnNative, rooms } from './packages/native/test/support/rooms.ts';

/** Ends every run with one plain line, for people and for scripts. */
const totals: Reporter = {
  onTestRunEnd(modules, errors) {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.children.size === 0 && module.state() === 'failed') count.failed++;
      for (const test of module.children.allTests()) count[test.result().state]++;
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  },
};

const include = ['packages/*/test/**/*.test.ts', 'site/test/**/*.test.ts', 'vectors/**/*.test.ts'];
const long = '**/*.long.test.ts';
/** The longest, where other tests find most of the same faults: mutants, random cases, kills, gigabytes, browsers that are measured. */
const nightly = '**/*.nightly.test.ts';
/** Tests that need servers on this machine: queues, and stores of objects. */
const servers = '**/*.servers.test.ts';

export default defineConfig({
  test: {
    globalSetup: './vitest.temporary.ts',
    maxWorkers: 2,
    // Ends what hangs: no test is judged by its time, and a loaded machine is several times slower.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default', totals],
    // `npm test` runs the first, and `npm run test:long`, `test:nightly` and `test:cluster` one each; together all tests, each of them once.
    projects: [
      { extends: true, test: { name: 'short', include, exclude: [long, nightly, servers] } },
      {
        extends: true,
        test: { name: 'long', include: include.map((each) => each.replace('*.test.ts', '*.long.test.ts')) },
      },
      {
        extends: true,
        test: { name: 'nightly', include: include.map((each) => each.replace('*.test.ts', '*.nightly.test.ts')) },
      },
      {
        extends: true,
        // The library's tests of the primitives that have native code, on that alone: `npm run test:native`.
        test: {
          name: 'native',
          include: [
            ...rooms.map((room) => `packages/lanewise/test/${room}/*.test.ts`),
            // The tables over all public calls, as far as a kernel has a part in them.
            'packages/joints/test/{cost,lengths,machines,memory,pollution}.test.ts',
          ],
          exclude: [long, nightly, servers, ...notOnNative.map((file) => `packages/lanewise/test/${file}.test.ts`)],
          setupFiles: ['packages/native/test/support/on-native.ts'],
        },
      },
      {
        extends: true,
        // One file at a time: each starts servers of its own, and workers that use all cores.
        test: { name: 'cluster', include: [servers], fileParallelism: false },
      },
    ],
  },
});
