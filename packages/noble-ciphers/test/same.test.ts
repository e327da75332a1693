/** Both lines have the names of the originals, and do the same in every call: results, errors, and the content of `output`. */
import { describe, expect, test } from 'vitest';
import { outcomeOf, pairsOf, shapeOf } from '../../drop-ins/src/compare.ts';
import { lines } from '../../drop-ins/src/lines.ts';

const its = lines.filter((line) => line.package === 'noble-ciphers');
const pairs = (await Promise.all(its.map((line) => pairsOf(line)))).flat();

test.each(pairs)('$title: names', ({ module, ours, theirs }) => {
  expect(shapeOf(ours)).toEqual(shapeOf(theirs));
  // Only the root is not there to be imported.
  expect('thrown' in theirs).toBe(module === 'index');
});

type Any = (...values: unknown[]) => unknown;
type Library = Readonly<Record<string, Any>>;

const bytes = (length: number, first = 1): Uint8Array => Uint8Array.from({ length }, (_, i) => (first + 7 * i) % 256);

/** Arguments that a caller may pass in place of bytes. */
const WRONG: readonly unknown[] = [undefined, null, 'text', 7, [1, 2], {}, new Uint16Array(32), new ArrayBuffer(32)];

function detached(): Uint8Array {
  const view = bytes(32);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

/** One array that holds data and output, whose starts and lengths are given; all of it is compared afterwards. */
function overlapping(call: (data: Uint8Array, output: Uint8Array) => unknown, data: Span, output: Span): string {
  const all = bytes(400);
  const result = outcomeOf(() => call(all.subarray(...data), all.subarray(...output)));
  return `${result} ${Buffer.from(all).toString('hex')}`;
}
type Span = readonly [from: number, to: number];

function streams(library: Library): string[] {
  const found: string[] = [];
  const note = (call: () => unknown): unknown => found.push(outcomeOf(call));
  for (const name of ['chacha8', 'chacha12', 'chacha20', 'chacha20orig', 'xchacha20', 'salsa20', 'xsalsa20']) {
    const cipher = library[name];
    if (!cipher) continue;
    const length = name.startsWith('x') ? 24 : /orig|salsa20$/.test(name) ? 8 : 12;
    const key = bytes(32);
    const nonce = bytes(length);
    for (const size of [0, 1, 63, 64, 65, 1000, 5000]) note(() => cipher(key, nonce, bytes(size)));
    for (const size of [0, 15, 16, 17, 24, 31, 33]) note(() => cipher(bytes(size), nonce, bytes(20)));
    for (const size of [0, 7, 8, 11, 12, 16, 23, 24, 25]) note(() => cipher(key, bytes(size), bytes(20)));
    for (const wrong of WRONG) {
      note(() => cipher(wrong, nonce, bytes(20)));
      note(() => cipher(key, wrong, bytes(20)));
      note(() => cipher(key, nonce, wrong));
      note(() => cipher(key, nonce, bytes(20), wrong));
      note(() => cipher(key, nonce, bytes(20), undefined, wrong));
    }
    note(() => cipher(key, nonce, detached()));
    note(() => cipher(key, nonce, Buffer.from(bytes(70))));
    for (const counter of [1, -1, 0.5, NaN, 2 ** 31, 0xfffffffd, 0xfffffffe, 0xffffffff, 2 ** 32, 2 ** 53, 5n])
      for (const size of [0, 1, 64, 65, 128, 129]) {
        const output = new Uint8Array(size);
        note(() => cipher(key, nonce, bytes(size), output, counter));
        note(() => output);
      }
    for (const [data, output] of [
      [
        [0, 100],
        [0, 100],
      ],
      [
        [40, 140],
        [0, 100],
      ],
      [
        [0, 100],
        [40, 140],
      ],
      [
        [0, 100],
        [100, 200],
      ],
      [
        [0, 100],
        [200, 299],
      ],
      [
        [0, 100],
        [200, 301],
      ],
      [
        [0, 0],
        [0, 0],
      ],
      [
        [3, 203],
        [2, 202],
      ],
    ] as const)
      found.push(overlapping((from, to) => cipher(key, nonce, from, to), data, output));
  }
  return found;
}

/** Objects of a cipher with a key, a nonce and, some of them, additional data. */
function aeads(library: Library): string[] {
  const found: string[] = [];
  const note = (call: () => unknown): unknown => found.push(outcomeOf(call));
  interface Box {
    encrypt: Any;
    decrypt: Any;
  }
  const constructors: [name: string, (...values: unknown[]) => Box, nonceLength: number][] = [];
  for (const name of ['chacha20poly1305', 'xchacha20poly1305', 'xsalsa20poly1305'])
    if (library[name]) constructors.push([name, library[name] as () => Box, name.startsWith('x') ? 24 : 12]);
  if (library._poly1305_aead)
    for (const name of ['chacha20', 'xchacha20', 'chacha8'])
      constructors.push([`raw ${name}`, library._poly1305_aead(library[name]) as () => Box, name[0] === 'x' ? 24 : 12]);
  for (const [name, make, nonceLength] of constructors) {
    const key = bytes(32);
    const nonce = bytes(nonceLength);
    const isBox = name.includes('salsa');
    const extra = isBox ? 32 : 16;
    for (const size of [0, 1, 63, 64, 1000, 5000])
      for (const AAD of [undefined, bytes(0), bytes(13), bytes(40)]) {
        note(() => make(key, nonce, AAD).encrypt(bytes(size)));
        note(() => make(key, nonce, AAD).decrypt(make(key, nonce, AAD).encrypt(bytes(size))));
      }
    for (const size of [0, 16, 31, 33]) {
      note(() => make(bytes(size), nonce).encrypt(bytes(20)));
      note(() => make(bytes(size), nonce).decrypt(bytes(20)));
    }
    for (const size of [0, 8, 12, 16, 24, 25]) note(() => make(key, bytes(size)).encrypt(bytes(20)));
    for (const wrong of WRONG) {
      note(() => make(wrong, nonce).encrypt(bytes(20)));
      note(() => make(key, wrong).encrypt(bytes(20)));
      note(() => make(key, nonce, wrong).encrypt(bytes(20)));
      note(() => make(key, nonce).encrypt(wrong));
      note(() => make(key, nonce).decrypt(wrong));
      note(() => make(key, nonce).encrypt(bytes(20), wrong));
      note(() => make(key, nonce).decrypt(bytes(20), wrong));
    }
    note(() => make(key, nonce, detached()).encrypt(bytes(3)));
    note(() => make(key, nonce).encrypt(detached()));
    for (const size of [0, 15, 16, 17]) note(() => make(key, nonce).decrypt(bytes(size)));
    note(() => {
      const box = make(key, nonce);
      box.encrypt(bytes(3));
      return box.encrypt(bytes(3));
    });
    note(() => {
      // Arguments are kept, not copied.
      const [ownKey, ownNonce, AAD] = [bytes(32), bytes(nonceLength), bytes(9)];
      const box = isBox ? make(ownKey, ownNonce) : make(ownKey, ownNonce, AAD);
      for (const array of [ownKey, ownNonce, AAD]) array[3] ^= 1;
      return box.encrypt(bytes(30));
    });
    for (const size of [0, 1, 100]) {
      const sealed = make(key, nonce).encrypt(bytes(size)) as Uint8Array;
      const forged = sealed.slice();
      forged[forged.length - 1] ^= 1;
      for (const more of [-1, 0, 1]) {
        for (const from of [0, 8, 150]) {
          const to = from + size + extra + more;
          found.push(overlapping((data, output) => make(key, nonce).encrypt(data, output), [8, 8 + size], [from, to]));
        }
        for (const ciphertext of [sealed, forged])
          for (const from of [0, 8, 60, 200]) {
            const length = isBox ? ciphertext.length + 32 : size;
            const open = (data: Uint8Array, output: Uint8Array): unknown => {
              data.set(ciphertext);
              return make(key, nonce).decrypt(data, output);
            };
            if (length + more < 0) continue;
            found.push(overlapping(open, [8, 8 + ciphertext.length], [from, from + length + more]));
          }
      }
    }
    if (isBox && library.secretbox) {
      const box = library.secretbox(key, nonce) as { seal: Any; open: Any };
      note(() => box.seal(bytes(50)));
      note(() => box.seal(bytes(50)));
      note(() => box.open(bytes(50)));
      note(() => (library.secretbox(key, nonce, bytes(3)) as { seal: Any }).seal(bytes(50)));
    }
  }
  return found;
}

function macs({ poly1305, Poly1305 }: Library): string[] {
  const found: string[] = [];
  const note = (call: () => unknown): unknown => found.push(outcomeOf(call));
  interface Mac {
    update(data: unknown): Mac;
    digest: Any;
    digestInto: Any;
    destroy: Any;
  }
  const makers = [(poly1305 as unknown as { create: (...values: unknown[]) => Mac }).create];
  if (Poly1305 as Any | undefined)
    makers.push((...values) => new (Poly1305 as unknown as new (...all: unknown[]) => Mac)(...values));
  for (const size of [0, 1, 16, 17, 1000, 200_000]) note(() => poly1305(bytes(size), bytes(32)));
  for (const wrong of [...WRONG, bytes(31), 'x'.repeat(32), detached()]) {
    note(() => poly1305(bytes(3), wrong));
    note(() => poly1305(wrong, bytes(32)));
    note(() => poly1305(wrong, wrong));
    for (const make of makers) {
      note(() => make(wrong).digest());
      note(() => make(bytes(32)).update(wrong).digest());
      note(() => make(bytes(32)).digestInto(wrong));
    }
  }
  for (const make of makers) {
    for (const sizes of [[], [3], [16, 0, 1], [5, 11, 40], [244, 12], [244, 13], [256, 1, 16], [100, 1000]]) {
      const fed = (): Mac => sizes.reduce((mac, size) => mac.update(bytes(size)), make(bytes(32)));
      note(() => fed().digest());
      for (const size of [15, 16, 20]) {
        const output = bytes(size);
        note(() => fed().digestInto(output));
        note(() => output);
      }
    }
    // Version 1 goes on after `destroy` with a key of zeros; ours refuses, see below.
    const destroyed = (Poly1305 as Any | undefined) ? (['destroy'] as const) : (['digest'] as const);
    for (const ends of [['digest'], destroyed, ['digestInto'], ['digestInto', 'destroy']] as const)
      for (const next of ['update', 'digest', 'digestInto', 'destroy'] as const) {
        const mac = make(bytes(32));
        for (const end of ends) mac[end](new Uint8Array(16));
        note(() => mac[next](new Uint8Array(16)));
      }
    const { blockLen, outputLen } = make(bytes(32)) as unknown as { blockLen: number; outputLen: number };
    note(() => `${blockLen} ${outputLen}`);
  }
  return found;
}

function subkeys({ hchacha, hsalsa }: Library): string[] {
  const words = (length: number): Uint32Array => Uint32Array.from({ length }, (_, i) => 0x9e3779b9 * (i + 1));
  const found: string[] = [];
  for (const extend of [hchacha, hsalsa])
    for (const lengths of [
      [4, 8, 4, 8],
      [4, 8, 6, 8],
      [4, 8, 4, 10],
      [4, 4, 4, 8],
    ]) {
      if (!extend) continue;
      const values = lengths.map(words);
      found.push(
        outcomeOf(() => extend(...values)),
        values.join(' '),
      );
      // The output may be the key.
      found.push(
        outcomeOf(() => extend(values[0], values[1], values[2], values[1])),
        values.join(' '),
      );
    }
  return found;
}

function generators({ rngChacha20, rngChacha8 }: Library): string[] {
  const found: string[] = [];
  interface Generator {
    randomBytes: Any;
    addEntropy: Any;
    clone(): Generator;
    clean: Any;
  }
  for (const make of [rngChacha20, rngChacha8])
    for (const size of [1, 32, 44, 100]) {
      if (!make) continue;
      const generator = make(bytes(size)) as Generator;
      for (const length of [0, 1, 63, 64, 100, 1000]) found.push(outcomeOf(() => generator.randomBytes(length)));
      generator.addEntropy(bytes(5));
      found.push(outcomeOf(() => generator.clone().randomBytes(40)));
      generator.clean();
      found.push(outcomeOf(() => generator.randomBytes(1)));
    }
  return found;
}

describe.each(pairs.filter(({ module }) => ['chacha', 'salsa', '_poly1305'].includes(module)))(
  '$title: calls',
  ({ module, ours, theirs }) => {
    const tables = {
      chacha: [streams, aeads, subkeys, generators],
      salsa: [streams, aeads, subkeys],
      _poly1305: [macs],
    };
    for (const table of tables[module as keyof typeof tables])
      test(table.name, () => {
        const expected = table(theirs as Library);
        // Versions that have no generators give nothing for them.
        expect(expected.length).toBeGreaterThan(table === generators && !('rngChacha8' in theirs) ? -1 : 15);
        expect(table(ours as Library)).toEqual(expected);
      });
  },
);

test.each(pairs.filter(({ title }) => title.includes('1, _poly1305')))('$title: no tag after destroy', ({ ours }) => {
  const mac = (ours as unknown as { poly1305: { create: Any } }).poly1305.create(bytes(32)) as Record<string, Any>;
  mac.destroy();
  expect(() => mac.digest()).toThrow('Hash instance has been destroyed');
});
