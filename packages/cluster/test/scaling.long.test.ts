/** The model of many machines, beside figures that are computed by hand; and the document that has its figures. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clusterScaling } from '../bench/scaling/document.ts';
import { GIB, leafBytesFor, MIB, TIB, type Limits } from '../bench/scaling/limits.ts';
import { binderOf, curveOf, seconds, type Costs } from '../bench/scaling/model.ts';

/** A store without limits, and nothing that is random. */
const free: Limits = {
  connection: Infinity,
  firstByte: [0, 0],
  requests: Infinity,
  network: Infinity,
  threads: 8,
  connections: 1,
  range: 64 * MIB,
  spread: 0,
  roundTrip: 0,
};
const nothing: Costs = { hash: 0, add: 0, serve: 0, merge: 0 };
const object = { size: 640 * GIB, leaf: 64 * MIB };
const leaves = object.size / object.leaf;

describe('one limit at a time', () => {
  it.each([
    ['hashing', { ...nothing, hash: 0.001 }, free, (object.size / MIB) * 0.001, 80],
    ['connections', nothing, { ...free, connection: 1e8 }, object.size / 1e8, 80],
    ['network', nothing, { ...free, network: 8e8 }, object.size / 1e8, 80],
    ['requests', nothing, { ...free, requests: 100 }, leaves / 100, 1],
    ['queue', { ...nothing, serve: 0.01 }, free, leaves * 0.01, 1],
    ['queue', { ...nothing, add: 0.01 }, free, leaves * 0.01, 1],
    ['root', { ...nothing, merge: 0.01 }, free, leaves * 0.01, 1],
  ] as const)('%s', (binder, costs, limits, expected, parallel) => {
    expect(seconds(costs, { ...object, machines: 10, limits })).toBeCloseTo(expected / parallel, 5);
    expect(binderOf(costs, { ...object, machines: 10, limits })).toBe(binder);
  });

  it('leaves: more threads than leaves are of no use', () => {
    const costs = { ...nothing, hash: 0.001 };
    const one = (object.leaf / MIB) * 0.001;
    expect(seconds(costs, { ...object, machines: 1280, limits: free })).toBeCloseTo(one, 9);
    expect(seconds(costs, { ...object, machines: 9999, limits: free })).toBeCloseTo(one, 9);
    expect(binderOf(costs, { ...object, machines: 9999, limits: free })).toBe('number of leaves');
  });
});

it('a request waits for its first byte', () => {
  const limits: Limits = { ...free, firstByte: [0.5, 0.5], connection: 64 * MIB };
  // A range of 64 MiB takes 1.5 s, and the first of a leaf has its first byte after half a second.
  expect(seconds(nothing, { size: 64 * MIB, leaf: 64 * MIB, machines: 1, limits })).toBeCloseTo(0.5 + 1.5, 9);
});

it('the same setting gives the same time, which randomness makes longer', () => {
  const limits: Limits = { ...free, connection: 1e8 };
  const time = seconds(nothing, { ...object, machines: 100, limits: { ...limits, spread: 0.3 } });
  expect(seconds(nothing, { ...object, machines: 100, limits: { ...limits, spread: 0.3 } })).toBe(time);
  expect(time).toBeGreaterThan(seconds(nothing, { ...object, machines: 100, limits }));
});

it('a bend is where a fifth of the machines is lost', () => {
  const costs = { ...nothing, hash: 0.001, serve: 0.001 };
  // A leaf takes 64 ms of one of 8 threads of a machine, and 1 ms of the queue: 8 machines keep it busy.
  const { bend } = curveOf(costs, 'queue', { ...object, limits: free }, [1, 10, 100]);
  expect(bend).toBeGreaterThanOrEqual(8);
  expect(bend).toBeLessThanOrEqual(12);
});

it('leaves are of 64 MiB up to 10,000', () => {
  expect(leafBytesFor(1)).toBe(64 * MIB);
  expect(leafBytesFor(10_000 * 64 * MIB)).toBe(64 * MIB);
  expect(leafBytesFor(10_000 * 64 * MIB + 1)).toBe(128 * MIB);
  expect(leafBytesFor(5 * TIB)).toBe(GIB);
});

it('docs/cluster-scaling.md and its picture have the figures of the costs beside them', () => {
  const { costs } = clusterScaling;
  const files = [...clusterScaling.filesOf(costs)];
  for (const [path, text] of files) expect(readFileSync(path, 'utf8'), path).toBe(text);
  const [[, document], [, picture]] = files;
  expect(document).toContain(costs.processor);
  const names = document.match(/(?<=^\*\*).*(?=\*\*: .*leaves of)/gm)!;
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect(picture.toLowerCase()).toContain(`>${name.toLowerCase()}</text>`);
  expect(picture + document).not.toMatch(/NaN|undefined|Infinity/);
});
