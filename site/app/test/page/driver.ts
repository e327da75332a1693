/** Runs the tests in the browser, and reports each of them. */
import { ask } from './app-page.ts';
import type { Test } from './expect.ts';
import { large } from './large.ts';
import { mistakes } from './mistakes.ts';
import { trips } from './trips.ts';

async function all(): Promise<void> {
  const { browser, isLarge } = await ask<{ browser: string; isLarge: boolean }>('begin');
  const tests: readonly Test[] = isLarge ? large : [...trips, ...mistakes];
  for (const one of tests.filter((each) => each.in?.includes(browser) ?? true)) {
    const started = performance.now();
    const report: { failure?: string; note?: string } = {};
    try {
      const note = await one.test();
      if (note) report.note = note;
    } catch (error) {
      report.failure = (error as Error).message;
    }
    for (const frame of document.querySelectorAll('iframe')) frame.remove();
    await ask('report', { name: one.name, ...report, seconds: (performance.now() - started) / 1000 });
  }
  await ask('end');
}

void all();
