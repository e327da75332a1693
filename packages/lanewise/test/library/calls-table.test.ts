/** The table of calls (support/calls.ts), with which other tests visit the whole library, has every call that there is. */
// Runs in Node only: imports the modules that the manifest of the package names.
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { expect, test } from 'vitest';
import { doors as allDoors } from '../../scripts/rooms.ts';
import { calls } from '../support/calls.ts';

const root = join(import.meta.dirname, '../..');
/** The root exports the same, as `package/root.test.ts` shows. */
const doors = allDoors.filter((name) => name !== 'index' && name !== 'worker');

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

/** The names of all exported functions, of their properties, and of the methods of their results, as far as `calls` leads. */
async function found(): Promise<Set<string>> {
  const names = new Set<string>();
  const visit = async (name: string, value: unknown): Promise<void> => {
    if (typeof value === 'function') {
      if (names.has(name)) return;
      names.add(name);
      if (!isClass(value))
        for (const property of functionsOf(value)) await visit(`${name}.${property}`, value[property as never]);
      const result = await calls[name]?.call();
      const type = (result as object | undefined)?.constructor.name ?? '';
      const called = `${name.replace(/^\w+\./, '')}()`;
      // An object of a class that other calls make too may have rows of its own.
      const own = Object.keys(calls).some((row) => row.startsWith(`${called}.`));
      const given = type === 'Object' || type === 'Function' || own ? called : type;
      // An object of the host, such as a ReadableStream or a Transform, has methods of the host.
      if ((type in globalThis && type !== 'Object' && type !== 'Function') || result instanceof Transform) return;
      if (typeof result === 'function') await visit(`${name}()`, result);
      else await visit(given, result);
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !Array.isArray(value))
      for (const method of functionsOf(value)) await visit(`${name}.${method}`, value[method as never]);
  };
  for (const door of doors)
    for (const [name, value] of Object.entries((await import(join(root, `src/${door}.ts`))) as object))
      if (name !== 'default') await visit(`${door}.${name}`, value);
  return names;
}

test('the table has every call', async () => {
  expect(doors).toEqual(expect.arrayContaining(['chacha', 'blake3', 'utils']));
  expect(Object.keys(calls).sort()).toEqual([...(await found())].sort());
});
