/** "Measure this browser" in the browsers of this machine. */
import { beforeAll, describe, expect, test } from 'vitest';
import { browse, findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { serveFiles } from '../src/lab/serve.ts';
import { buildPage } from '../src/page/build.ts';
import { parseResult, type Result } from '../src/results/schema.ts';
import { viewOf } from '../src/results/view.ts';

let files: ReadonlyMap<string, Uint8Array>;
beforeAll(async () => {
  files = await buildPage();
});

/** In milliseconds. A browser that has asked for nothing by then is started again: WebKitGTK has been seen to give no result for three minutes. */
const SILENCE = 60_000;

/** Rejects if the browser ends before its result came, or asks for nothing, though it is started twice. */
async function measuredBy(browser: typeof chromium, path: string, isolated: boolean, query: string): Promise<Result> {
  const came = Promise.withResolvers<string>();
  const asked: string[] = [];
  const headersOf = (name: string) => {
    asked.push(name);
    return {};
  };
  const at = await serveFiles(files, { port: 0, isolated, headersOf, onPost: came.resolve });
  try {
    for (const isLast of [false, true]) {
      const silent = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => asked.length === 0 && silent.resolve(undefined), SILENCE);
      const done = Promise.race([came.promise.then(() => undefined), silent.promise]);
      const ending = await browse(browser, path, `${at.url}?${query}&post=/result`, done);
      clearTimeout(timer);
      if (ending) throw new Error(`${browser.name} ended with ${ending.code}: ${ending.said}`);
      if (asked.length > 0) break;
      if (isLast) throw new Error(`${browser.name} asked for nothing, twice`);
      console.log(`${browser.name} asked for nothing in ${SILENCE} ms, and is started again`);
    }
    return parseResult(JSON.parse(await came.promise), browser.name);
  } finally {
    await at.close();
  }
}

/** Browsers start slowly on a busy machine. */
const PATIENCE = 180_000;

describe.each([chromium, firefox, webkit])('in $name', (browser) => {
  test.each([true, false])('measures, isolated: %s', { timeout: PATIENCE }, async (isolated) => {
    const found = await findBrowser(browser);
    if (found.missing !== undefined) {
      console.log(`skipped: ${found.missing} is missing; ${found.howToGet}`);
      return;
    }
    const id = 'platforms/chacha20/encrypt/65536'; // where the clock is coarse as well
    const result = await measuredBy(browser, found.path, isolated, `run=quick&only=${id}&sessions=1&seed=3`);
    expect(result.engines.map((engine) => engine.id)).toEqual([browser.id]);
    expect(result.sessions).toHaveLength(1);
    const [{ hello, faults, errors, done, seed }] = result.sessions;
    expect(hello).toMatchObject({ place: 'worker', features: { isolated, wasm: true } });
    expect([faults, errors, done?.stopped, seed]).toEqual([[], [], false, 3]);
    expect(result.contests.map((each) => each.id)).toEqual([id]);

    const view = viewOf(result);
    expect(view.engines).toHaveLength(1);
    const cases = view.cases(view.engines[0], id);
    const names = cases.map(({ description }) => description.id);
    if (view.engines[0].distrusted.length === 0) {
      expect(names).toEqual(expect.arrayContaining(['lanewise simd', 'lanewise scalar', 'lanewise js', 'noble']));
      // Of how many rounds the figures are is a matter of the machine's load; all of them were recorded.
      for (const { nanoseconds, sorted } of cases) {
        expect(sorted.all[0].length).toBeGreaterThanOrEqual(5);
        for (const value of nanoseconds[0]) expect(value).toBeGreaterThan(0);
      }
    } else {
      // On a machine that is too busy the canary reports it; the samples are in the file nevertheless.
      console.log(`${browser.name}: ${view.engines[0].distrusted.join('; ')}`);
      expect(result.sessions[0].contests[0].cases.length).toBeGreaterThan(3);
    }
  });
});
