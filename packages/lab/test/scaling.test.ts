/** The model of pools with many threads, and the document that is written from it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makespan } from '../src/scaling/makespan.ts';
import { checkOf, curvesOf, jobOf, THREADS, timeOf, type Job } from '../src/scaling/model.ts';
import type { Costs } from '../src/scaling/programs/costs.ts';
import { scalingDocument } from '../src/scaling/scaling.ts';

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
    expect(timeOf(job({}), threads, 64 * threads)).toBeCloseTo(64, 10);
    expect(timeOf(job({}), threads, 64 * threads + 1)).toBeCloseTo(65, 10);
  }
});

test("the caller's thread does no more than one job in its time for a job", () => {
  const costly = job({ send: 0.1, receive: 0.15 });
  expect(timeOf(costly, 64, 4000) / 4000).toBeCloseTo(0.25, 2);
  // With one thread its own work and that of the caller share a processor.
  expect(timeOf(costly, 1, 4000) / 4000).toBeCloseTo(1.25, 2);
});

test('what all threads share limits them together', () => {
  expect(timeOf(job({ shared: 0.2 }), 2, 1000)).toBeCloseTo(500, 0);
  expect(timeOf(job({ shared: 0.2 }), 16, 1000) / 1000).toBeCloseTo(0.2, 2);
});

test('a worker that sleeps begins later, once', () => {
  expect(timeOf(job({ wake: 0.5 }), 1, 1)).toBeCloseTo(1.5, 10);
  expect(timeOf(job({ wake: 0.5 }), 1, 100)).toBeLessThan(102);
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

test('a dispatcher that hands jobs to free threads only keeps as many busy as its time allows', () => {
  const flow = { jobs: 1000, send: 1, receive: 0, delay: 0.5, delayBack: 0, done: (begin: number) => begin + 10 };
  // A job leaves each 1, and its thread is free again 10.5 later.
  expect(makespan({ ...flow, threads: 100, underWay: 100 })).toBeCloseTo(1000 + 10.5, 9);
  expect(makespan({ ...flow, threads: 1, underWay: 1 })).toBeCloseTo(1000 * 11.5, 6);
  // It may be given the next one meanwhile, and goes on at once.
  expect(makespan({ ...flow, threads: 1, underWay: 2 })).toBeCloseTo(1.5 + 1000 * 10, 6);
});

test('threads take jobs in the order in which they are free', () => {
  const times = [9, 1, 1, 1, 5];
  let job = 0;
  const done = (begin: number, busy: () => number): number => {
    expect(busy()).toBeLessThanOrEqual(2);
    return begin + times[job++];
  };
  // One thread has the job of 9, the other one those of 1, 1, 1 and 5.
  const flow = { jobs: 5, threads: 2, underWay: 2, send: 0, receive: 0, delay: 0, delayBack: 0, done };
  expect(makespan(flow)).toBe(9);
});

test('docs/scaling.md and its picture have the figures of the costs beside them', () => {
  const { costs: kept } = scalingDocument;
  const files = [...scalingDocument.filesOf(kept)];
  for (const [path, text] of files) expect(readFileSync(path, 'utf8'), path).toBe(text);
  const [[, document], [, picture]] = files;
  expect(document).toContain(kept.processor);
  // A name in the key and a line for each curve.
  const [{ name, costs: own }] = kept.engines;
  const curves = curvesOf(own);
  expect(picture).toContain(`in ${name}`);
  for (const { work, source } of curves) expect(picture).toContain(`>${work}, ${source}</text>`);
  expect(picture.match(/<g [^>]*stroke="var\(--c\d\)" stroke-width="2"/g)).toHaveLength(curves.length);
  expect(picture + document).not.toMatch(/NaN|undefined|Infinity/);
});
