/** The modules of the kernels as independent tools see them: valid, closed, small, and inside their memory maps. */
// Runs in Node only: reads the descriptions of rooms, which are found by folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modules, rooms, src } from '../../scripts/rooms.ts';
import { chachaModule, type Functions } from '../../src/chacha/module.ts';
import { hasRelaxed } from '../../src/engine/detect.ts';
import * as layout from '../../src/keystream/map.ts';
import { floats } from '../../src/poly1305/floats.ts';
import { integers } from '../../src/poly1305/kernel.ts';
import * as mac from '../../src/poly1305/map.ts';
import { EVERY_FORM, lanesOf, type Area, type Form, type KernelModule } from '../../src/engine/description.ts';
import type { Module } from '../../src/wasm/module.ts';
import { codeOf, disassembled, roundTrip, sectionsOf, type Features } from '../support/wasm.ts';

const PAGE = 65536;
/** Engines compile larger functions slowly. */
const MOST_BODY_BYTES = 15 * 1024;

/** The features with which a form compiles, and those without which it must not: so no form needs more than its own. */
const FEATURES: Readonly<Record<Form, { readonly features: Features; readonly without: readonly Features[] }>> = {
  relaxed: { features: { relaxed_simd: true }, without: [{}] },
  swizzle: { features: {}, without: [{ simd: false }] },
  scalar: { features: { simd: false }, without: [] },
};

interface Variant extends Pick<KernelModule, 'name' | 'pages' | 'mostPages' | 'map' | 'functions'> {
  readonly title: string;
  readonly form: Form;
  readonly made: () => Module;
}

/** Every module that engines instantiate, and every one that a text of the `js` engine comes from. */
const variants = modules.flatMap(({ forms, make, text, ...module }): Variant[] => [
  ...forms.map((form) => ({ ...module, title: `${module.name} ${form}`, form, made: () => make(lanesOf(form)) })),
  ...(text ? [{ ...module, title: `${module.name}, for js`, form: 'scalar' as const, made: text.module }] : []),
]);

type Tree = readonly (Tree | string)[];

/** Folded text as nested lists. */
function parsed(text: string): Tree {
  const stack: (Tree | string)[][] = [[]];
  for (const [token] of text.replace(/;;.*|\(;.*?;\)/g, '').matchAll(/"[^"]*"|[()]|[^\s()"]+/g)) {
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const list = stack.pop()!;
      stack.at(-1)!.push(list);
    } else stack.at(-1)!.push(token);
  }
  return stack[0];
}

function visit(tree: Tree, each: (node: Tree) => void): void {
  each(tree);
  for (const child of tree) if (typeof child !== 'string') visit(child, each);
}

const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/8_u$|store8$/, 1],
  [/32_u$|32_splat$|store32$|^i32\.(load|store)$/, 4],
  [/64_splat$|^[if]64\.(load|store)$/, 8],
  [/^v128\.(load|store)$/, 16],
];

/** Loads and stores at an address that is a constant: the address and how many bytes. */
function staticAccesses(text: string): { what: string; address: number; length: number }[] {
  const accesses: { what: string; address: number; length: number }[] = [];
  visit(parsed(text), (node) => {
    const [what, ...rest] = node;
    if (typeof what !== 'string' || !/^\w+\.(load|store)/.test(what)) return;
    const base = rest.find((child) => typeof child !== 'string') as Tree;
    if (base[0] !== 'i32.const') return;
    const offset = rest.find((child) => typeof child === 'string' && child.startsWith('offset=')) as string | undefined;
    const [, length] = WIDTHS.find(([pattern]) => pattern.test(what))!;
    accesses.push({ what, address: Number(base[1]) + Number(offset?.slice(7) ?? 0), length });
  });
  return accesses;
}

const run = (bytes: Uint8Array<ArrayBuffer>): WebAssembly.Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
const LACKING = 'this host has no relaxed vectors';

describe.each(variants)('$title', ({ name, pages, mostPages = pages, made, functions, form, map }) => {
  const { features, without } = FEATURES[form];
  const bytes = made().bytes();
  const runsHere = !features.relaxed_simd || hasRelaxed();
  const text = disassembled(bytes, features);

  it('is valid with no more features than it needs', () => {
    for (const lacking of without) expect(() => disassembled(bytes, lacking)).toThrow();
  });

  it('is valid for binaryen, which writes a valid module again', () => {
    disassembled(roundTrip(bytes), { relaxed_simd: true });
  });

  it('is the same bytes each time', () => {
    expect(made().bytes()).toEqual(bytes);
  });

  it('has no import, table, global, start or element', () => {
    const ids = sectionsOf(bytes).map(({ id }) => id);
    expect(ids.filter((id) => ![1, 3, 5, 7, 10, 11].includes(id))).toEqual([]);
    expect(text).not.toMatch(/memory\.grow|call_indirect|call_ref|\((import|table|global|start|elem)\b/);
  });

  it('has a memory that cannot grow, unless the description of its room says so', () => {
    expect(text).toContain(`(memory (;0;) ${pages} ${mostPages})`);
  });

  it('exports its memory and its functions', ({ skip }) => {
    skip(!runsHere, LACKING);
    const { memory, ...rest } = run(bytes);
    expect(memory).toBeInstanceOf(WebAssembly.Memory);
    expect(Object.keys(rest).sort()).toEqual(functions);
  });

  it('has functions of less than 15 KB', () => {
    for (const body of codeOf(bytes)) expect(body.length).toBeLessThan(MOST_BODY_BYTES);
  });

  it('reads and writes static addresses of its memory map only', () => {
    const accesses = staticAccesses(disassembled(bytes, features, true));
    // Argon2's kernel is told all addresses: a matrix has any size, and several threads.
    expect(accesses.length).toBeGreaterThan(name === 'argon2' ? -1 : 20);
    const outside = accesses.filter(
      ({ address, length }) => !map.some(([, from, size]) => address >= from && address + length <= from + size),
    );
    expect(outside).toEqual([]);
  });

  it('starts with nothing in memory but the masks', ({ skip }) => {
    skip(!runsHere, LACKING);
    const memory = new Uint8Array((run(bytes)['memory'] as WebAssembly.Memory).buffer);
    // Only kernels with byte permutations have any; they lie at the start of memory.
    const masks = map[0][0] === 'MASKS' && text.includes('v128.') ? map[0][2] : 0;
    expect(memory.subarray(masks).every((byte) => byte === 0)).toBe(true);
    // Numbers of bytes, and a power of two in each lane.
    expect(memory.subarray(0, masks).every((byte) => byte < 16 || byte === 2 ** 7)).toBe(true);
  });
});

/** The rows of a memory map as it is drawn: address, size and name; the last row has no size. */
const ROW = /^ \* +(\d+)(?: +(\d+))?(?: +([A-Z_]+))?(?: |$)/gm;

describe('memory maps', () => {
  it.each(modules)('of $name: areas follow each other, do not overlap and end within memory', ({ map, pages }) => {
    map.forEach(([name, from, size], i) => {
      expect(size, name).toBeGreaterThan(0);
      if (i > 0) expect(from, name).toBeGreaterThanOrEqual(map[i - 1][1] + map[i - 1][2]);
      expect(from + (size === Infinity ? 0 : size), name).toBeLessThan(pages * PAGE);
    });
  });

  it.each(rooms.filter((room) => room.modules.length))('of $name: as the comment draws it', ({ name, modules }) => {
    // ChaCha and Salsa20 share the map of their keystream.
    const [drawing] = [name, 'keystream']
      .map((folder) => join(src, folder, 'map.ts'))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8').split('*/')[0])
      .filter((comment) => comment.includes('offset  bytes  name'));
    const drawn = [...drawing.matchAll(ROW)].map(([, at, , area]) => ({ at: Number(at), area }));
    expect(drawn.length).toBeGreaterThan(2);
    const areaAt = (at: number): Area | undefined =>
      modules[0].map.find(([, from, size]) => from <= at && at < from + size);
    for (const [area, from] of modules[0].map)
      if (drawn.some((row) => row.area === area)) expect(drawn, area).toContainEqual({ at: from, area });
    // Every row that is drawn lies in an area, so no drawing knows of more memory than the proofs do.
    for (const { at, area } of drawn) expect(areaAt(at), `${area} at ${at}`).toBeDefined();
  });

  it('has room for the message, its tag and what kernels write behind it', () => {
    expect(layout.STAGE + layout.STAGE_BYTES + 512).toBeLessThanOrEqual(layout.PAGES * PAGE);
    expect(layout.STAGE + layout.SHORT_BYTES + 512).toBeLessThanOrEqual(layout.SHORT_PAGES * PAGE);
    expect(mac.STAGE + mac.STAGE_BYTES + 16).toBeLessThanOrEqual(mac.PAGES * PAGE);
  });
});

describe('behaviour after a round trip through binaryen', () => {
  /** Seals messages of a few lengths with fixed key and nonce: all of STAGE after each. */
  function sealed(bytes: Uint8Array<ArrayBuffer>): string[] {
    const exports = run(bytes);
    const memory = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);
    return [0, 1, 64, 100, 577, 3000].map((length) => {
      for (let i = 0; i < 80; i++) memory[layout.STATE + i] = 3 * i;
      for (let i = 0; i < length; i++) memory[layout.STAGE + i] = 7 * i;
      (exports as unknown as Functions).seal(1, 0, length);
      return Buffer.from(memory.subarray(layout.STAGE, layout.STAGE + length + 16)).toString('hex');
    });
  }
  const forms = EVERY_FORM.filter((form) => form !== 'relaxed' || hasRelaxed());
  const [first, ...others] = forms.flatMap((form) =>
    [integers, floats].map((arithmetic) => chachaModule({ lanes: lanesOf(form), arithmetic }).bytes()),
  );

  it('is the same, and the same for all forms', () => {
    const expected = sealed(first);
    expect(new Set(expected).size).toBe(expected.length);
    for (const bytes of [first, ...others]) {
      expect(sealed(bytes)).toEqual(expected);
      expect(sealed(roundTrip(bytes))).toEqual(expected);
    }
  });
});
