// Makes blake3-edge.json: BLAKE3 where its counters pass 2^32 and 2^53 and end, which no message or output that a test
// can have reaches from the start.  node vectors/generate-blake3-edge.mjs [--check]
import { createHash } from 'node:crypto';
import { casesOf, official, said } from './blake3-oracles.mjs';
import { compact, writeOrCheck } from './oracles.mjs';

const two = (n) => 1n << BigInt(n);
const modes = ['hash', 'keyed_hash', 'derive_key'];
const tests = [];

// Positions in the output: block 2^32, block 2^53 and the number 2^53, block 2^58 (the last is 2^58 - 1).
const positions = {
  'the start': [0n, 1n, 63n, 64n, 65n, 131n, 1000n, 65_530n, two(20) - 1n],
  'block 2^31': [two(37) - 100n],
  'byte 2^32': [two(32) - 70n],
  'block 2^32': [-1000n, -640n, -256n, -129n, -64n, -1n, 0n, 1n, 64n].map((d) => two(38) + d),
  'byte 2^53': [-65n, -1n, 0n, 1n].map((d) => two(53) + d),
  'block 2^53': [-300n, -64n, -1n, 0n, 1n, 200n].map((d) => two(59) + d),
  'byte 2^63': [two(63) - 99n],
  'the end': [two(64) - 1000n, two(64) - 257n],
};
let turn = 0;
for (const [where, all] of Object.entries(positions))
  for (const position of all)
    for (const input_len of [1000, 5000])
      tests.push({
        kind: 'output',
        where,
        mode: modes[turn++ % 3],
        input_len,
        position: String(position),
        length: 256,
      });
for (const length of [1, 63, 64, 65, 131])
  for (const mode of modes)
    tests.push({
      kind: 'output',
      where: 'the last byte',
      mode,
      input_len: 3,
      position: String(two(64) - BigInt(length)),
      length,
    });

// Messages whose bytes but the last are known by chaining values, which may be any.
const stackOf = (chunks, label) =>
  [...chunks.toString(2)].flatMap((bit, i) =>
    bit === '1' ? [createHash('sha256').update(`lanewise blake3 edge ${label} ${i}`).digest('hex')] : [],
  );
for (const chunksBefore of [
  two(4),
  two(12) + two(4),
  two(22) - 16n,
  two(22),
  two(31),
  two(32) - 64n,
  two(32) - 16n,
  two(32),
  two(32) + 16n,
  two(33) - 16n,
  two(43) - 16n,
  two(43),
  two(52) - 16n,
  two(52),
])
  for (const input_len of [1, 1024, 5000, 16_384, 21_555, 70_000]) {
    const mode = modes[turn++ % 3];
    tests.push({
      kind: 'tail',
      mode,
      chunksBefore: String(chunksBefore),
      stack: stackOf(chunksBefore, `${mode} ${input_len}`),
      input_len,
      position: '0',
      length: 80,
    });
  }

// Parts of a message: as long as one may be there, and shorter.
for (const [chunk, lengths] of [
  [0n, [1, 1024, 1025, 5000, 100_000]],
  [1n, [1, 63, 1024]],
  [2n, [1024, 1025, 2048]],
  [6n, [2000]],
  [16n, [1024, 3000, 16_384]],
  [two(32) - 1n, [5, 1024]],
  [two(32) - 2n, [1024, 2048]],
  [two(32) - 64n, [65_536]],
  [two(32), [1, 1024, 4097, 16_384, 100_000]],
  [two(32) + 1n, [700]],
  [two(42) + 8n, [8000]],
  [two(43) - 16n, [1024, 16_000, 16_384]],
])
  for (const input_len of lengths)
    tests.push({ kind: 'subtree', mode: modes[turn++ % 3], offset: String(chunk << 10n), input_len });

const cases = tests.map((test) => casesOf(test)[0]);
const crate = official(cases);
if (!crate) console.log('cargo is not installed: the official crate is not asked');
tests.forEach((test, i) => {
  const answers = [...said(cases[i]), ...(crate ? [['crate blake3', crate[i]]] : [])];
  const [[, first]] = answers;
  if (answers.length < 2 || answers.some(([, answer]) => answer !== first))
    throw new Error(`${JSON.stringify(test)}: ${JSON.stringify(answers)}`);
  if (test.kind === 'subtree') test.chainingValue = first;
  else test.output = first;
});

await writeOrCheck(
  new URL('blake3-edge.json', import.meta.url),
  compact({
    source:
      'ours: BLAKE3 where its counters pass 2^32 and 2^53 and end. The input is as in blake3.json, and so are key and context. "output": length bytes of the output from byte position on. "tail": the last input_len bytes of a message, whose chunksBefore chunks before are known by the chaining values of their subtrees, the largest first (any values: SHA-256 of a label). "subtree": the chaining value, not of a root, of a part of a message that starts at byte offset.',
    made: 'node vectors/generate-blake3-edge.mjs: at least two of noble, the model and the official crate blake3 1.8.7 (its OutputReader and hazmat) give each, and none contradicts it; when this was committed the crate gave all',
    licence: 'CC0-1.0',
    tests,
  }),
);
