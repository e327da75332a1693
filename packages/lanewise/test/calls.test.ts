/** Every call that the library has refuses arguments behind its last: in another call they may have a meaning. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusal } from './support/bytes.ts';
import { calls } from './support/calls.ts';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, object> };
/** The root has what these have: `root.test.ts`. */
const doors = Object.keys(manifest.exports)
  .filter((name) => name !== './package.json' && name !== '.')
  .map((name) => /^\.\/(\w+)\.js$/.exec(name)![1]);

const isClass = (value: unknown): boolean => typeof value === 'function' && /^class\b/.test(String(value));

/** The functions of an object and of its class, but not those that every object has. */
function functionsOf(value: object): string[] {
  const names: string[] = [];
  for (let object = value; object !== Object.prototype && object !== Function.prototype;) {
    for (const name of Object.getOwnPropertyNames(object)) {
      const found = Object.getOwnPropertyDescriptor(object, name) as { value?: unknown };
      if (typeof found.value === 'function' && name !== 'constructor' && name !== 'prototype') names.push(name);
    }
    object = Object.getPrototypeOf(object) as object;
  }
  return names;
}

/** The names of all calls: of functions, of what they have, and of the objects that they give, as far as `calls` leads. */
async function found(): Promise<Set<string>> {
  const names = new Set<string>();
  const visit = (name: string, value: unknown): void => {
    if (typeof value === 'function') {
      if (names.has(name)) return;
      names.add(name);
      if (!isClass(value))
        for (const property of functionsOf(value)) visit(`${name}.${property}`, value[property as never]);
      const result = calls[name]?.call();
      const type = (result as object | undefined)?.constructor.name ?? '';
      const given = type === 'Object' || type === 'Function' ? `${name.replace(/^\w+\./, '')}()` : type;
      if (typeof result === 'function') visit(`${name}()`, result);
      else visit(given, result);
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !Array.isArray(value))
      for (const method of functionsOf(value)) visit(`${name}.${method}`, value[method as never]);
  };
  for (const door of doors)
    for (const [name, value] of Object.entries((await import(join(root, `src/${door}.ts`))) as object))
      if (name !== 'default') visit(`${door}.${name}`, value);
  return names;
}

test('the table has every call', async () => {
  expect(doors).toHaveLength(9);
  expect(Object.keys(calls).sort()).toEqual([...(await found())].sort());
});

describe.each(Object.entries(calls))('%s', (_, entry) => {
  const { most, passed } = entry;
  const call = (...extra: readonly unknown[]): unknown => entry.call(...extra);
  test('takes as many as it has', () => {
    expect(() => call()).not.toThrow();
    // As is an argument that is undefined elsewhere: calls that pass on what they were given go on working.
    if (passed === undefined) expect(() => call(undefined)).not.toThrow();
  });
  test(passed === undefined ? 'refuses one more' : `takes more: ${passed}`, () => {
    for (const [extra, kind] of [
      [new Uint8Array(32), 'Uint8Array'],
      [{ dkLen: 32 }, 'Object'],
      ['hex', 'string'],
      [0, 'number'],
      [false, 'boolean'],
      [null, 'null'],
    ] as const) {
      const wanted = `TypeError: "arguments" expected at most ${most}, got another of type=${kind}`;
      if (passed === undefined) expect(refusal(() => call(extra))).toContain(wanted);
      else if (!passed.includes('any number')) expect(() => call(extra)).not.toThrow();
    }
  });
});
