// Who confirms the vectors of Bao and bao-tree: their formats, written again over the chaining values of noble and of the model.
import { said } from '../../blake3-oracles.mjs';
import { unhex } from '../../oracles.mjs';

const inputOf = (length) => Uint8Array.from({ length }, (_, i) => (((i >> 2) + 1) >>> (8 * (i & 3))) & 255);
const memory = new Map();

/** A chaining value or, of a whole content, the hash, by an oracle. */
function valueOf(oracle, input, from, to, isRoot) {
  const key = `${oracle} ${input.length} ${from} ${to}`;
  if (!memory.has(key)) {
    const part = { mode: 'hash', input: input.slice(from, to) };
    const c = isRoot
      ? { ...part, method: 'output', position: 0n, length: 32 }
      : { ...part, method: 'subtree', first: BigInt(from / 1024) };
    memory.set(key, said(c).find(([name]) => name === oracle)[1]);
  }
  return memory.get(key);
}

/** The format for a range of whole groups: with or without content. */
function formatOf(oracle, input, group, from, to, withContent) {
  const header = Buffer.alloc(8);
  header.writeBigUInt64LE(BigInt(input.length));
  const parts = [header];
  const visit = (a, b, isRoot) => {
    if (!isRoot && (b <= from || a >= to)) return;
    if (b - a <= group) {
      if (withContent) parts.push(input.subarray(a, b));
      return;
    }
    let left = 1024;
    while (2 * left < b - a) left *= 2;
    parts.push(unhex(valueOf(oracle, input, a, a + left)), unhex(valueOf(oracle, input, a + left, b)));
    visit(a, a + left);
    visit(a + left, b);
  };
  visit(0, input.length, true);
  return Buffer.concat(parts);
}

/** As the specification counts: a slice of no bytes has one, and one after the end has the last. */
function rangeOf(size, start, length) {
  const from = Math.min(start, Math.max(0, size - 1));
  return [from, Math.min(size, Math.max(from + 1, start + length))];
}

const digestOf = (oracle, bytes) =>
  said({ mode: 'hash', method: 'output', input: new Uint8Array(bytes), position: 0n, length: 32 }).find(
    ([name]) => name === oracle,
  )[1];

function confirm(f, { tests }) {
  for (const [i, t] of tests.entries()) {
    const group = t.group ?? 1024;
    const input = inputOf(t.input_len);
    const all = [];
    for (const oracle of ['noble', 'model']) {
      const check = (bytes, length, wanted) =>
        all.push([oracle, bytes.length === length && digestOf(oracle, bytes) === wanted]);
      const format = (withContent, range = [0, input.length]) => formatOf(oracle, input, group, ...range, withContent);
      all.push([oracle, valueOf(oracle, input, 0, input.length, true) === (t.bao_hash ?? t.hash)]);
      const [outboard, encode] = t.encode
        ? [t.outboard, t.encode]
        : [
            { output_len: t.outboard_len, blake3: t.outboard_blake3 },
            { output_len: t.encoded_len, blake3: t.encoded_blake3 },
          ];
      check(format(false), outboard.output_len, outboard.blake3);
      check(format(true), encode.output_len, encode.blake3);
      for (const s of t.slices)
        check(format(true, rangeOf(input.length, s.start, s.len)), s.output_len, s.output_blake3);
    }
    f.vector(`${i + 1} (groups of ${group}, ${t.input_len} bytes)`, all);
  }
}

/** By file, how its vectors are confirmed. */
export const files = { 'bao.json': confirm, 'bao-tree.json': confirm };
