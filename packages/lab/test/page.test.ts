/** "Measure this browser": its computations, and how it is served. page-browsers.nightly.test.ts runs it in browsers. */
import { get } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CaseDescription, ContestDescription, HelloMessage, SamplesMessage } from '../src/client/messages.ts';
import { serveFiles, type Serving } from '../src/lab/serve.ts';
import { buildPage } from '../src/page/build.ts';
import { figuresOf, quietText, verdictOf, type Played } from '../src/page/figures.ts';
import { engineOf } from '../src/page/record.ts';
import type { CoreState } from '../src/results/quiet.ts';
import { UsageError } from '../src/terminal.ts';

const contest: ContestDescription = {
  id: 'c',
  axis: 'platforms',
  form: 'rounds',
  primitive: 'P',
  operation: 'encrypt',
  title: 'P, encrypt',
  parameters: { length: 100 },
};
const caseOf = (id: string, standing: CaseDescription['standing']): CaseDescription => ({
  id,
  contestant: id,
  standing,
  primitive: 'P',
  operation: 'encrypt',
  bytes: 100,
  parameters: {},
});
const samplesOf = (nanoseconds: Record<string, number[]>, cycle: number[]): SamplesMessage => ({
  type: 'samples',
  contest: 'c',
  nanoseconds,
  batches: {},
  cycle,
  milliseconds: 1,
});

describe('figures', () => {
  const cases = [caseOf('other', 'rival'), caseOf('ours', 'ours')];
  // The machine halves its speed from round to round: only ratios within a round are steady.
  const first = samplesOf({ ours: [100, 200, 400], other: [300, 600, 1200] }, [0.25, 0.5, 1]);
  const second = samplesOf({ ours: [120, 240, 480], other: [600, 1200, 2400] }, [0.25, 0.5, 1]);
  const played = (...samples: SamplesMessage[]): Played => ({ contest, cases, samples });

  test('medians, speeds, cycles, and ratios within rounds', () => {
    const [other, ours] = figuresOf(played(first), false);
    expect(ours).toMatchObject({ nanoseconds: 200, speed: 500, cyclesPerByte: 4, ratio: undefined });
    expect(other).toMatchObject({ nanoseconds: 600, cyclesPerByte: 12, ratio: 3 });
  });

  test('of several sessions, the median of each', () => {
    const [other, ours] = figuresOf(played(first, second), false);
    expect(ours.nanoseconds).toBe(220);
    expect(other.ratio).toBe(4);
  });

  test('a coarse clock gives no cycles', () => {
    expect(figuresOf(played(first), true).map(({ cyclesPerByte }) => cyclesPerByte)).toEqual([undefined, undefined]);
  });

  test('are of quiet rounds, if there are enough, and the busy ones are told', () => {
    // The second half of the rounds is busy, which takes 1.3 times as long for ours, and 2 times for the other.
    const slowed = (value: number, factor: number): number[] => [1, 1, 1, factor, factor, factor].map((x) => value * x);
    const samples = samplesOf({ ours: slowed(100, 1.3), other: slowed(300, 2) }, [1, 1, 1, 1, 1, 1]);
    const states = (quiet: number) => () => () =>
      Array.from({ length: 6 }, (_, i): CoreState => (i < quiet ? 'quiet' : i < 3 ? 'between' : 'busy'));
    const found = figuresOf(played(samples, samples), false, states(3));
    expect(found).toMatchObject([
      { nanoseconds: 300, ratio: 3, cyclesPerByte: 3 },
      { nanoseconds: 100, cyclesPerByte: 1 },
    ]);
    expect(quietText(found)).toBe('12 of 24 samples quiet; busy rounds gave other 4.62×.');
    const few = figuresOf(played(samples, samples), false, states(2));
    expect(few[0]).toMatchObject({ nanoseconds: 450, times: { basis: 'all' }, ratios: { basis: 'all' } });
    expect(quietText(few)).toBe(
      '8 of 24 samples quiet; busy rounds gave other 4.62×. * is of all rounds, because too few were quiet.',
    );
    expect(quietText(figuresOf(played(samples), false))).toBe('');
  });

  test('who has no samples has no row', () => {
    expect(figuresOf(played(samplesOf({ ours: [1] }, [1])), false).map(({ case: { id } }) => id)).toEqual(['ours']);
  });

  test('a series counts by its last calls, and pairs with nothing', () => {
    const series = {
      contest: { ...contest, form: 'series' as const },
      cases,
      samples: [samplesOf({ ours: [900, 500, 100, 10] }, [])],
    };
    expect(figuresOf(series, false)).toMatchObject([{ nanoseconds: 10, ratio: undefined, cyclesPerByte: undefined }]);
  });

  test('a batch that took no time by the clock has neither speed nor ratio', () => {
    const [other, ours] = figuresOf(played(samplesOf({ ours: [100], other: [0] }, [1])), false);
    expect(other).toMatchObject({ nanoseconds: 0, speed: undefined, ratio: undefined });
    expect(verdictOf([other, ours])).toBe('');
    expect(figuresOf(played(samplesOf({ ours: [0], other: [100] }, [1])), false)[0].ratio).toBeUndefined();
  });

  test('the verdict about a pool compares it with one thread', () => {
    const threads = (id: string): (typeof cases)[number] => ({ ...cases.find((each) => each.id === 'ours')!, id });
    const pools = {
      contest,
      cases: ['one thread', 'pool of 1', 'pool of 2'].map(threads),
      samples: [samplesOf({ 'one thread': [200, 200], 'pool of 1': [220, 220], 'pool of 2': [100, 125] }, [1, 1])],
    };
    expect(verdictOf(figuresOf(pools, false))).toBe('pool of 2: 1.78 times as fast as one thread');
  });

  test('the verdict names the fastest rival', () => {
    expect(verdictOf(figuresOf(played(first), false))).toBe('3.00 times faster than other');
    const lost = samplesOf({ ours: [200], other: [100] }, [1]);
    expect(verdictOf(figuresOf(played(lost), false))).toBe('2.00 times slower than other');
  });
});

describe('the name of a browser', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'firefox', '153.0'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      'chromium',
      '156.0.0.0',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
      'chromium',
      '156.0.0.0',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.1',
      'edge',
      '156.1',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'webkit',
      '26.0',
    ],
    ['something', 'browser', '0'],
  ])('%s', (userAgent, id, version) => {
    const hello = { userAgent, notes: ['A note.'] } as unknown as HelloMessage;
    expect(engineOf(hello)).toMatchObject({ id, version, remarks: [expect.any(String), 'A note.'] });
  });
});

let files: ReadonlyMap<string, Uint8Array>;
beforeAll(async () => {
  files = await buildPage();
});

async function serving<T>(
  isolated: boolean,
  onPost: (body: string) => void,
  work: (at: Serving) => Promise<T>,
): Promise<T> {
  const at = await serveFiles(files, { port: 0, isolated, onPost });
  try {
    return await work(at);
  } finally {
    await at.close();
  }
}

describe('the static page', () => {
  test('is complete, and asks no other host for anything', () => {
    expect([...files.keys()].toSorted()).toEqual([
      'client.js',
      'index.html',
      'licences.txt',
      'page.js',
      'session-worker.js',
      'style.css',
      'worker.js',
    ]);
    const text = (name: string): string => Buffer.from(files.get(name)!).toString();
    const html = text('index.html');
    const named = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(named.toSorted()).toEqual(['data:,', 'licences.txt', 'page.js', 'style.css']);
    expect(text('style.css')).not.toMatch(/url\(|@import/);
    expect(html).toContain("default-src 'none'");
    for (const name of [
      '@noble/ciphers',
      'libsodium-wrappers-sumo',
      'libsodium-sumo',
      'hash-wasm',
      '@observablehq/plot',
    ]) {
      expect(text('licences.txt')).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
  });

  test('opened from a file, it says what is wrong: the words are there until the script hides them', () => {
    const html = Buffer.from(files.get('index.html')!).toString();
    expect(html).toMatch(/<p id="waiting"(?![^>]*hidden)[^>]*>[^<]*opened from a file/);
    expect(Buffer.from(files.get('page.js')!).toString()).toMatch(/"waiting"\)\.hidden=!0/);
  });

  test('nothing that the script fills or that starts it is shown before the script is ready', () => {
    const html = Buffer.from(files.get('index.html')!).toString();
    const [, before, hidden] = /<main>([\s\S]*)<div id="page" hidden>([\s\S]*)<\/div>\s*<\/main>/.exec(html) ?? [];
    expect(before).not.toMatch(/<(?:form|fieldset|section|button|input|progress)/);
    expect(hidden).toMatch(/<form[\s\S]*id="drop"/);
    expect(Buffer.from(files.get('page.js')!).toString()).toMatch(/"page"\)\.hidden=!1/);
  });

  test('every control has a label', () => {
    const html = Buffer.from(files.get('index.html')!).toString();
    const { length } = [...html.matchAll(/<(?:input|select)/g)];
    const labelled = [...html.matchAll(/<label[^>]*>(?:(?!<\/label>)[^])*?<(?:input|select)/g)];
    expect(length).toBeGreaterThan(5);
    expect(labelled).toHaveLength(length);
  });

  test.each([true, false])('is served with the headers of isolation: %s', async (isolated) => {
    await serving(
      isolated,
      () => undefined,
      async ({ url }) => {
        const response = await fetch(url);
        expect(await response.text()).toContain('Measure this browser');
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(response.headers.get('cross-origin-opener-policy')).toBe(isolated ? 'same-origin' : null);
        expect(response.headers.get('cross-origin-embedder-policy')).toBe(isolated ? 'require-corp' : null);
      },
    );
  });

  test('nothing else is served', async () => {
    await serving(
      true,
      () => undefined,
      async ({ url }) => {
        const status = (path: string): Promise<number | undefined> =>
          new Promise((resolve) => get(url, { path }, ({ statusCode }) => resolve(statusCode)));
        expect(await status('/page.js')).toBe(200);
        for (const path of ['/../package.json', '/%2e%2e/package.json', '/nothing', '/etc/passwd']) {
          expect(await status(path)).toBe(404);
        }
      },
    );
  });

  test('a port that is taken is a mistake of whoever chose it', async () => {
    await serving(
      true,
      () => undefined,
      async ({ url }) => {
        const port = Number(new URL(url).port);
        await expect(serveFiles(files, { port, isolated: true })).rejects.toThrow(UsageError);
      },
    );
  });
});
