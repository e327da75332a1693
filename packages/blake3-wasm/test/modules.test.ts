/** The three modules that are ours, called as only the original's own files call them, and in ways in which those do not. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytes, folders, load, noted, require, wasmOf, type Call, type Library, type Methods } from './pairs.ts';

const web = async (folder: string): Promise<Library> => {
  const module = await load(folder, 'dist/wasm/web/blake3_js.js');
  await module.default(wasmOf(folders.theirs));
  return module;
};
const ofNode = (folder: string): Library => require(join(folder, 'dist/wasm/nodejs/blake3_js.js')) as Library;
const modules = [
  { title: 'nodejs', ours: ofNode(folders.ours), theirs: ofNode(folders.theirs) },
  { title: 'web', ours: await web(folders.ours), theirs: await web(folders.theirs) },
];

function calls(module: Library): string[] {
  const found: string[] = [];
  const note = (title: string, call: () => unknown): unknown => found.push(`${title}: ${noted(call)}`);
  const { create_hasher, create_keyed, create_derive } = module;
  const makers = [create_hasher, () => create_keyed(bytes(32)), () => create_derive('context')];
  /** Into bytes, because the calls return nothing. */
  const into = (length: number, call: Call): Uint8Array => {
    const out = bytes(length);
    call(out);
    return out;
  };
  for (const [i, make] of makers.entries()) {
    const hasher = make() as Methods;
    hasher.update(bytes(70));
    note(`${i} digest`, () => into(40, (out) => hasher.digest(out)));
    const reader = hasher.reader() as Methods;
    hasher.update(bytes(2000));
    note(`${i} digest, and on`, () => into(32, (out) => hasher.digest(out)));
    // A reader is of the message at that time, and goes on by itself.
    for (const length of [0, 5, 64, 200]) note(`${i} fill`, () => into(length, (out) => reader.fill(out)));
    reader.set_position(2n ** 64n + 3n);
    note(`${i} position beyond 2^64`, () => into(9, (out) => reader.fill(out)));
    reader.set_position(-5n);
    note(`${i} position below 0`, () => into(5, (out) => reader.fill(out)));
    for (const wrong of [5, undefined, null, '7', true])
      note(`${i} position ${wrong}`, () => reader.set_position(wrong));
    note(`${i} after wrong positions`, () => into(9, (out) => reader.fill(out)));
    for (const each of [hasher, reader]) {
      each.free();
      for (const name of ['free', 'update', 'digest', 'reader', 'fill', 'set_position'])
        if (typeof each[name] === 'function')
          note(`${i} ${name} after free`, () => each[name](name === 'set_position' ? 5n : bytes(3)));
    }
  }
  for (const Class of [module.Blake3Hash, module.HashReader] as unknown as (new () => Methods)[])
    for (const name of ['free', 'update', 'digest', 'reader', 'fill', 'set_position'])
      if (name in Class.prototype)
        note(`${name} of none`, () => new Class()[name](name === 'set_position' ? 5n : bytes(3)));
  for (const length of [0, 1, 31, 32, 33, 64, 65, 1000])
    note('hash', () => into(length, (out) => module.hash(bytes(9), out)));
  note('hash into an array', () => module.hash(bytes(9), [1, 2, 3]));
  note('digest into an array', () => (create_hasher() as Methods).digest([1, 2, 3]));
  note('hash into words', () => {
    const out = new Uint16Array(40);
    module.hash(bytes(9), out);
    return out.join();
  });
  return found;
}

test.each(modules)('$title', ({ ours, theirs }) => {
  const expected = calls(theirs);
  expect(expected.length).toBeGreaterThan(60);
  expect(calls(ours)).toEqual(expected);
});
