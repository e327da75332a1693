/** How age files are cut into parts: of one length, for stores that take no others, and with all chunks that they have bytes of. */
import { describe, expect, it } from 'vitest';
import { fileSizeOf, partAt, partsIn, planOf, type Kind, type Part, type Plan } from '../src/sealing/plan.ts';

const CHUNK = 65_536;
const SEALED = CHUNK + 16;
const FILE = 'file:///target';
const S3 = 's3://bucket/key';
const KINDS: readonly Kind[] = ['encrypt', 'decrypt'];

const partsOf = (kind: Kind, plan: Plan): Part[] =>
  Array.from({ length: partsIn(kind, plan) }, (_, index) => partAt(kind, plan, index + 1));

/** Where the chunks of a file begin and end in the plaintext, in the file, and in the target: one by one, as the format has them. */
function chunksOf(kind: Kind, { size, headerBytes }: Plan) {
  const count = Math.max(1, Math.ceil(size / CHUNK));
  return Array.from({ length: count }, (_, index) => {
    const plain = [index * CHUNK, Math.min(size, (index + 1) * CHUNK)];
    const cipher = [headerBytes + index * SEALED, headerBytes + index * SEALED + plain[1] - plain[0] + 16];
    return { plain, cipher, target: kind === 'encrypt' ? cipher : plain };
  });
}

/** Checks all parts of a plan against the chunks of its file. */
function judge(kind: Kind, plan: Plan): void {
  const parts = partsOf(kind, plan);
  const chunks = chunksOf(kind, plan);
  const each = plan.partChunks * (kind === 'encrypt' ? SEALED : CHUNK);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    expect(part.number).toBe(index + 1);
    expect(part.offset).toBe(at);
    at += part.length;
    if (!isLast) expect(part.length).toBe(each);
    else if (at > 0) expect(part.length > 0 && part.length <= each).toBe(true);
    const its = chunks.filter(({ target: [from, to] }) => from < at && to > part.offset);
    // The empty chunk of an empty file is decrypted, and has no byte.
    if (kind === 'decrypt' && plan.size === 0) its.push(chunks[0]);
    const first = its.at(0);
    const last = its.at(-1);
    expect(part.plainLength).toBe(first && last ? last.plain[1] - first.plain[0] : 0);
    expect(part.cipherLength).toBe(first && last ? last.cipher[1] - first.cipher[0] : 0);
    expect(part.last).toBe(last === chunks.at(-1));
    if (first === undefined) continue;
    expect(part.chunk).toBe(chunks.indexOf(first));
    expect([part.plainOffset, part.cipherOffset]).toEqual([first.plain[0], first.cipher[0]]);
  }
  expect(at).toBe(kind === 'encrypt' ? fileSizeOf(plan) : plan.size);
}

describe.each(KINDS)('parts of a file to %s', (kind) => {
  it.each([0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 4 * CHUNK, 4 * CHUNK + 1, 9 * CHUNK - 7])(
    'of %i bytes are right for headers and parts of any length',
    (size) => {
      for (const header of [1, 184, SEALED - 16, SEALED - 1, SEALED, SEALED + 1, 2 * SEALED, 3 * SEALED + 184, 2 ** 20])
        for (const partChunks of [1, 2, 3, 4, 80]) judge(kind, planOf(kind, size, header, partChunks, FILE));
    },
  );

  it('are right for every size of a file that ends near the end of a part', () => {
    for (const header of [184, SEALED + 184])
      for (const parts of [1, 2, 3])
        for (let by = -40; by <= 40; by++) {
          // A whole number of chunks, then the header with the rest: the file ends by bytes after a part.
          const size = kind === 'encrypt' ? 2 * parts * CHUNK - (header % SEALED) + by : 2 * parts * CHUNK + by;
          judge(kind, planOf(kind, size, header, 2, FILE));
        }
  });

  it('are refused if there is none of their number', () => {
    const plan = planOf(kind, CHUNK - 184, 184, 1, FILE);
    for (const number of [0, 2, 1.5, -1, NaN]) expect(() => partAt(kind, plan, number)).toThrow(RangeError);
    expect(() => partAt(kind, plan, '1' as unknown as number)).toThrow('"number" expected number, got type=string');
    expect(() => planOf(kind, -1, 184, undefined, FILE)).toThrow(RangeError);
    expect(() => planOf(kind, 1, 0, undefined, FILE)).toThrow(
      '"headerBytes" expected integer from 1 to 1048592, got 0',
    );
  });

  it('keep the limits of S3', () => {
    const chosen = (size: number, header = 184): [partChunks: number, parts: number] => {
      const plan = planOf(kind, size, header, undefined, S3);
      return [plan.partChunks, partsIn(kind, plan)];
    };
    // The largest plaintext of 10,000 parts: encrypted, its header has to be in them, too.
    const full = 10_000 * 1024 * CHUNK - (kind === 'encrypt' ? 184 : 0);
    expect(chosen(1)).toEqual([1024, 1]);
    expect(chosen(full)).toEqual([1024, 10_000]);
    expect(chosen(full + 1)).toEqual([1025, 9991]);
    expect(chosen(2 ** 40)[0]).toBe(1678);
    // 5 MiB are the least part.
    const range = '"partChunks" expected integer from';
    expect(() => planOf(kind, 1, 184, 79, S3)).toThrow(`${range} 80 to 81900, got 79`);
    const [least] = partsOf(kind, planOf(kind, 81 * CHUNK, 184, 80, S3));
    expect(least.length).toBeGreaterThanOrEqual(5 * 2 ** 20);
    expect(planOf(kind, 1, 184, 1, FILE).partChunks).toBe(1);
    expect(() => planOf(kind, 2 ** 40, 184, 80, S3)).toThrow(`${range} 1678 to`);
    expect(() => planOf(kind, full + 1, 184, 1024, FILE)).toThrow(`${range} 1025 to`);
    // 5 GiB are the largest.
    const largest = planOf(kind, 2 ** 45, 2 ** 20, 81_900, S3);
    expect(partAt(kind, largest, 1).length).toBeLessThanOrEqual(5 * 2 ** 30);
    expect(partAt('encrypt', largest, 1).length + SEALED).toBeGreaterThan(5 * 2 ** 30);
    expect(() => planOf(kind, 1, 184, 81_901, FILE)).toThrow(`${range} 1 to 81900, got 81901`);
    // The largest file of all, with the longest header.
    const most = 10_000 * 81_900 * CHUNK - 2 ** 20 - 16;
    expect(chosen(most, 2 ** 20 + 16)).toEqual([81_900, 10_000]);
    expect(() => planOf(kind, most + 1, 1, undefined, FILE)).toThrow(`"size" expected integer from 0 to ${most}`);
  });
});

it.each<[Kind, number, number, number[]]>([
  ['encrypt', 0, 1, [200]],
  ['encrypt', 2 * CHUNK, 2, [2 * SEALED, 184]],
  ['encrypt', 2 * CHUNK - 184, 2, [2 * SEALED]],
  ['encrypt', 2 * CHUNK - 183, 2, [2 * SEALED, 1]],
  ['decrypt', 0, 1, [0]],
  ['decrypt', 2 * CHUNK, 2, [2 * CHUNK]],
  ['decrypt', 2 * CHUNK + 1, 2, [2 * CHUNK, 1]],
])('to %s %i bytes in parts of %i chunks gives parts of %j bytes', (kind, size, partChunks, expected) => {
  const parts = partsOf(kind, planOf(kind, size, 184, partChunks, FILE));
  expect(parts.map(({ length }) => length)).toEqual(expected);
});
