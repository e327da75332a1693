/** The modules of the kernels as independent tools see them: valid, closed, small, and inside their memory maps. */
import { describe, expect, it } from 'vitest';
import { hasRelaxed } from '../src/engine/detect.ts';
import * as layout from '../src/keystream/map.ts';
import * as tree from '../src/blake3/map.ts';
import { blake3Module } from '../src/blake3/module.ts';
import { chachaModule, type ChaCha, type Form } from '../src/chacha/module.ts';
import * as disk from '../src/disk/map.ts';
import { diskModule } from '../src/disk/module.ts';
import { nhFloats } from '../src/disk/nh-floats.ts';
import { nhIntegers } from '../src/disk/nh-kernel.ts';
import { floats } from '../src/poly1305/floats.ts';
import * as mac from '../src/poly1305/module.ts';
import * as macLayout from '../src/poly1305/map.ts';
import { integers, type Arithmetic } from '../src/poly1305/kernel.ts';
import { STATE_BYTES as MAC_STATE_BYTES } from '../src/poly1305/map.ts';
import { chachaCore, salsaCore, secretboxModule } from '../src/salsa/module.ts';
import * as serpent from '../src/serpent/map.ts';
import { serpentCtrModule } from '../src/serpent/ctr-module.ts';
import { serpentModule } from '../src/serpent/module.ts';
import type { Module } from '../src/wasm/module.ts';
import { codeOf, disassembled, roundTrip, sectionsOf, type Features } from './support/wasm.ts';

interface Variant {
  readonly name: string;
  readonly pages: number;
  readonly make: () => Module;
  readonly functions: readonly string[];
  /** What it needs, and what it must do without. */
  readonly features: Features;
  readonly without: readonly Features[];
  readonly map: readonly (readonly [from: number, length: number])[];
}

const PAGE = 65536;
/** Engines get slow with larger functions. */
const MOST_BODY_BYTES = 15 * 1024;

const arithmetics: Record<string, Arithmetic> = { integers, floats };
const lanesForms: readonly { name: string; lanes: Form['lanes']; features: Features; without: readonly Features[] }[] =
  [
    { name: 'relaxed lanes', lanes: { relaxed: true }, features: { relaxed_simd: true }, without: [{}] },
    { name: 'lanes', lanes: { relaxed: false }, features: {}, without: [{ simd: false }] },
    { name: 'no lanes', lanes: undefined, features: { simd: false }, without: [] },
  ];

/** From the comment of the file that defines it. */
const chachaMap = (pages: number): Variant['map'] => [
  [layout.MASKS, 32],
  [layout.AAD, layout.AAD_BYTES],
  [layout.STATE, 80],
  [layout.TAG, 16],
  [layout.POLY, MAC_STATE_BYTES],
  [layout.SETS, 1024],
  [layout.ASIDE, 512],
  [layout.HEAD, 64],
  [layout.DATA, pages * PAGE - layout.DATA],
];
const macMap: Variant['map'] = [
  [macLayout.STATE, MAC_STATE_BYTES],
  [macLayout.TAG, 16],
  [macLayout.STAGE, PAGE - macLayout.STAGE],
];

const treeMap: Variant['map'] = [
  [tree.MASKS, 32],
  [tree.SETS, 2304],
  [tree.CVS, 4096],
  [tree.KEY, 32],
  [tree.CV, 64],
  [tree.BLOCK, 64],
  [tree.STAGE, tree.PAGES * PAGE - tree.STAGE],
];

const blake3Variants = lanesForms.map(({ name, lanes, features, without }): Variant => ({
  name: `BLAKE3, ${name}`,
  pages: tree.PAGES,
  make: () => blake3Module({ lanes }),
  functions: 'chunk copyUp hash many output parent prepare tree'.split(' '),
  features,
  without,
  map: treeMap,
}));

const chachaVariants: Variant[] = Object.entries(arithmetics).flatMap(([arithmeticName, arithmetic]) => [
  ...lanesForms.flatMap(({ name, lanes, features, without }) =>
    [false, true].map((short) => ({
      name: `ChaCha20-Poly1305${short ? ' of short messages' : ''}, ${name}, ${arithmeticName}`,
      pages: short ? layout.SHORT_PAGES : layout.PAGES,
      make: () => chachaModule({ short, lanes, arithmetic }),
      functions: 'absorb begin decrypt encrypt extend finish open seal verify xor'.split(' '),
      features,
      without,
      map: chachaMap(short ? layout.SHORT_PAGES : layout.PAGES),
    })),
  ),
  {
    name: `Poly1305, ${arithmeticName}`,
    pages: macLayout.PAGES,
    make: () => mac.poly1305Module(arithmetic),
    functions: 'absorb finish mac start'.split(' '),
    features: { simd: false },
    without: [],
    map: macMap,
  },
]);
/** Salsa20's vectors have no relaxed instruction to use. */
const salsaVariants = Object.entries(arithmetics).flatMap(([arithmeticName, arithmetic]) =>
  lanesForms.flatMap(({ name, lanes, features, without }) =>
    [false, true].map((short): Variant => {
      const pages = short ? layout.SHORT_PAGES : layout.PAGES;
      return {
        name: `Salsa20 and secretbox${short ? ' of short messages' : ''}, ${name}, ${arithmeticName}`,
        pages,
        make: () => secretboxModule(salsaCore, { short, lanes, arithmetic }),
        functions: 'absorb begin decrypt encrypt extend finish open seal verify xor'.split(' '),
        features: lanes?.relaxed ? {} : features,
        without: lanes?.relaxed ? [{ simd: false }] : without,
        map: chachaMap(pages),
      };
    }),
  ),
);
const boxVariants = lanesForms.map(({ name, lanes, features, without }): Variant => ({
  name: `secretbox with XChaCha20, ${name}`,
  pages: layout.PAGES,
  make: () => secretboxModule(chachaCore, { lanes, arithmetic: integers }),
  functions: 'absorb begin decrypt encrypt extend finish open seal verify xor'.split(' '),
  features,
  without,
  map: chachaMap(layout.PAGES),
}));
const serpentMap: Variant['map'] = [
  [serpent.KEY, serpent.KEY_BYTES],
  [serpent.ROUND, 528],
  [serpent.SETS, 256],
  [serpent.WORK, serpent.WORK_BYTES],
  [serpent.OFFSETS, serpent.AAD - serpent.OFFSETS],
  [serpent.AAD, serpent.AAD_BYTES],
  [serpent.COUNTER, 16],
  [serpent.IV, 16],
  [serpent.DATA, serpent.PAGES * PAGE - serpent.DATA],
];

/** It has no use for the relaxed instructions. */
const serpentVariants = lanesForms
  .filter(({ lanes }) => !lanes?.relaxed)
  .flatMap(({ name, lanes, features, without }): Variant[] => {
    const common = { pages: serpent.PAGES, features, without, map: serpentMap };
    const form = { lanes: lanes !== undefined };
    return [
      { name: `Serpent CTR, ${name}`, make: () => serpentCtrModule(form), functions: ['ctr'], ...common },
      {
        name: `Serpent, ${name}`,
        make: () => serpentModule(form),
        functions:
          'begin cbcDecrypt cbcEncrypt cbcMany decrypt ecbDecrypt ecbEncrypt encrypt finish hash open seal verify'.split(
            ' ',
          ),
        ...common,
      },
    ];
  });
const diskMap: Variant['map'] = [
  [disk.MASKS, disk.MIDDLE - disk.MASKS],
  [disk.MIDDLE, disk.SUBKEYS + disk.MOST_PAGES * disk.SUBKEY_BYTES - disk.MIDDLE],
  [disk.SETS, 1024],
  [disk.STATE, disk.KEY - disk.STATE],
  [disk.KEY, disk.DATA - disk.KEY],
  [disk.DATA, disk.PAGES * PAGE - disk.DATA],
];
const diskVariants = Object.entries({ integers: [integers, nhIntegers], floats: [floats, nhFloats] } as const).flatMap(
  ([arithmeticName, [arithmetic, nh]]) =>
    lanesForms.map(({ name, lanes, features, without }): Variant => ({
      name: `Adiantum and HPolyC, ${name}, ${arithmeticName}`,
      pages: disk.PAGES,
      make: () => diskModule({ lanes, arithmetic, nh }),
      functions:
        'absorb begin decryptBlocks derive encryptBlocks end expandKey extend heads nh pages sliceKeys stream substitute turn'.split(
          ' ',
        ),
      features,
      without,
      map: diskMap,
    })),
);
const variants = [
  ...chachaVariants,
  ...salsaVariants,
  ...boxVariants,
  ...blake3Variants,
  ...serpentVariants,
  ...diskVariants,
];

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

describe.each(variants)('$name', ({ pages, make, functions, features, without, map }) => {
  const bytes = make().bytes();
  const runsHere = !features.relaxed_simd || hasRelaxed();
  const text = disassembled(bytes, features);

  it('is valid with no more features than it needs', () => {
    for (const lacking of without) expect(() => disassembled(bytes, lacking)).toThrow();
  });

  it('is valid for binaryen, which writes a valid module again', () => {
    disassembled(roundTrip(bytes), { relaxed_simd: true });
  });

  it('is the same bytes each time', () => {
    expect(make().bytes()).toEqual(bytes);
  });

  it('has no import, table, global, start or element', () => {
    const ids = sectionsOf(bytes).map(({ id }) => id);
    expect(ids.filter((id) => ![1, 3, 5, 7, 10, 11].includes(id))).toEqual([]);
    expect(text).not.toMatch(/memory\.grow|call_indirect|call_ref|\((import|table|global|start|elem)\b/);
  });

  it('has a memory that cannot grow', () => {
    expect(text).toContain(`(memory (;0;) ${pages} ${pages})`);
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
    expect(accesses.length).toBeGreaterThan(20);
    const outside = accesses.filter(
      ({ address, length }) => !map.some(([from, size]) => address >= from && address + length <= from + size),
    );
    expect(outside).toEqual([]);
  });

  it('starts with nothing in memory but the masks', ({ skip }) => {
    skip(!runsHere, LACKING);
    const memory = new Uint8Array((run(bytes)['memory'] as WebAssembly.Memory).buffer);
    const masks = text.includes('v128.') ? map[0][1] : 0;
    expect(memory.subarray(masks).every((byte) => byte === 0)).toBe(true);
    expect(memory.subarray(0, masks).every((byte) => byte < 16)).toBe(true);
  });
});

describe('memory maps', () => {
  it.each([
    ['ChaCha20-Poly1305', chachaMap(layout.SHORT_PAGES)],
    ['Poly1305', macMap],
    ['Adiantum and HPolyC', diskMap],
  ])('%s: areas follow each other and do not overlap', (_, map) => {
    const sorted = [...map].sort(([a], [b]) => a - b);
    sorted.slice(1).forEach(([from], i) => {
      expect(from).toBeGreaterThanOrEqual(sorted[i][0] + sorted[i][1]);
    });
  });

  it('has room for the message, its tag and what kernels write behind it', () => {
    expect(layout.DATA + layout.DATA_BYTES + 512).toBeLessThanOrEqual(layout.PAGES * PAGE);
    expect(layout.DATA + layout.SHORT_BYTES + 512).toBeLessThanOrEqual(layout.SHORT_PAGES * PAGE);
    expect(macLayout.STAGE + macLayout.STAGE_BYTES + 16).toBeLessThanOrEqual(macLayout.PAGES * PAGE);
  });
});

describe('behaviour after a round trip through binaryen', () => {
  /** Seals messages of a few lengths with fixed key and nonce: all of DATA behind each. */
  function sealed(bytes: Uint8Array<ArrayBuffer>): string[] {
    const exports = run(bytes);
    const memory = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);
    return [0, 1, 64, 100, 577, 3000].map((length) => {
      for (let i = 0; i < 80; i++) memory[layout.STATE + i] = 3 * i;
      for (let i = 0; i < length; i++) memory[layout.DATA + i] = 7 * i;
      (exports as unknown as ChaCha).seal(1, 0, length);
      return Buffer.from(memory.subarray(layout.DATA, layout.DATA + length + 16)).toString('hex');
    });
  }
  const forms = lanesForms.filter(({ features }) => !features.relaxed_simd || hasRelaxed());
  const [first, ...others] = forms.flatMap(({ lanes }) =>
    Object.values(arithmetics).map((arithmetic) => chachaModule({ lanes, arithmetic }).bytes()),
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
