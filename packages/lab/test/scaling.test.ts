/** The model of pools with many threads, and the document that is written from it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { curvesSvg } from '../src/threads/curves-svg.ts';
import { checkOf, curvesOf, jobOf, makespan, THREADS, type Job } from '../src/threads/model.ts';
import type { Costs } from '../src/threads/programs/costs.ts';
import { COSTS, DOCUMENT, PICTURE, withFigures, written, type Measured } from '../src/threads/scaling.ts';

const job = (parts: Partial<Job>): Job => ({
  send: 0,
  receive: 0,
  work: 1,
  shared: 0,
  wake: 0,
  underWay: (threads) => threads + 1,
  ...parts,
});

test('work without costs scales as it should, and one more job takes one more round', () => {
  for (const threads of THREADS) {
    expect(makespan(job({}), threads, 64 * threads)).toBeCloseTo(64, 10);
    expect(makespan(job({}), threads, 64 * threads + 1)).toBeCloseTo(65, 10);
  }
});

test("the caller's thread does no more than one job in its time for a job", () => {
  const costly = job({ send: 0.1, receive: 0.15 });
  expect(makespan(costly, 64, 4000) / 4000).toBeCloseTo(0.25, 2);
  // With one thread its own work and that of the caller share a processor.
  expect(makespan(costly, 1, 4000) / 4000).toBeCloseTo(1.25, 2);
});

test('what all threads share limits them together', () => {
  expect(makespan(job({ shared: 0.2 }), 2, 1000)).toBeCloseTo(500, 0);
  expect(makespan(job({ shared: 0.2 }), 16, 1000) / 1000).toBeCloseTo(0.2, 2);
});

test('a worker that sleeps begins later, once', () => {
  expect(makespan(job({ wake: 0.5 }), 1, 1)).toBeCloseTo(1.5, 10);
  expect(makespan(job({ wake: 0.5 }), 1, 100)).toBeLessThan(102);
});

const costs: Costs = {
  cores: 2,
  copy: 0.04,
  trip: 0.02,
  wake: 0.03,
  copyByOne: 0.06,
  copyByTwo: 0.04,
  blobByOne: 1,
  blobByTwo: 0.9,
  works: [
    { name: 'BLAKE3', one: 0.5, pools: [0.55, 0.27] },
    { name: 'Adiantum pages', one: 0.7, pools: [0.8, 0.4] },
  ],
};

test('jobs have the copies of their sources, and hosts without files have none of files', () => {
  const [hash, pages] = costs.works;
  const close = (parts: Partial<Omit<Job, 'underWay'>>) =>
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, expect.closeTo(value, 10) as number]));
  expect(jobOf(costs, hash, 'memory')).toMatchObject(close({ send: 0.05, receive: 0.01, work: 0.5, shared: 0.06 }));
  expect(jobOf(costs, hash, 'SharedArrayBuffer')).toMatchObject(close({ send: 0.01, receive: 0.01, shared: 0.02 }));
  expect(jobOf(costs, hash, 'Blob')).toMatchObject(close({ send: 0.01, work: 1.5, shared: 0.9 }));
  expect(jobOf(costs, hash, 'file')).toBeUndefined();
  expect(jobOf(costs, pages, 'memory')).toMatchObject(close({ send: 0.05, receive: 0.05, shared: 0.12 }));
  expect(jobOf(costs, pages, 'Blob')).toBeUndefined();
});

test('a curve says where it bends and why', () => {
  const curves = curvesOf({ ...costs, copyByTwo: 0.001 });
  const of = (source: string) => curves.find((curve) => curve.work === 'BLAKE3' && curve.source === source)!;
  // 0.5 ms of work beside 0.06 ms of the caller's thread; 1.5 ms beside a reader that takes 0.9 ms.
  expect(of('memory')).toMatchObject({ limit: 'caller', callerAllows: expect.closeTo(0.5 / 0.06, 5) as number });
  expect(of('memory').speedups.at(-1)).toBeCloseTo(0.5 / 0.06, 0);
  expect(of('memory').bend).toBeGreaterThan(8);
  expect(of('memory').bend).toBeLessThan(14);
  expect(of('SharedArrayBuffer').bend).toBeGreaterThan(12);
  expect(of('Blob')).toMatchObject({ limit: 'reader', bend: 3 });
  expect(checkOf(costs)[0]).toMatchObject({ work: 'BLAKE3', measured: expect.closeTo(0.5 / 0.27, 5) as number });
});

test('the picture has a line for each curve, and no number is missing', () => {
  const curves = curvesOf(costs);
  const svg = curvesSvg('Node', curves);
  expect(svg.match(/fill="none"/g)).toHaveLength(curves.length);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test('docs/scaling.md and its picture have the figures of the costs beside them', () => {
  const measured = JSON.parse(readFileSync(COSTS, 'utf8')) as Measured;
  const { document, picture } = written(measured);
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(document);
  expect(readFileSync(PICTURE, 'utf8')).toBe(picture);
  expect(document).toContain(measured.processor);
  expect(() => withFigures('no marks', '')).toThrow(/lacks the marks/);
});
