// Makes disk-edge.json: Adiantum and HPolyC where the authors' vectors have gaps, by the Go module lukechampine.com/adiantum,
// and by disk-model.mjs where that is quick.  node vectors/generate-disk-edge.mjs [--check]     Needs Go.
//
// In HPolyC that module pads a block that is already whole, 4 bytes of length and a tweak of 12, 28, 44 ... bytes, with
// another block; the authors' python/hpolyc.py does not, and their own vectors have no such tweak. For these the model
// speaks alone, with its own primitives and with those of noble.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { encrypt, nobles, pattern } from './disk-model.mjs';
import { compact, hex, writeOrCheck } from './oracles.mjs';

/** Beside the grid of the authors: around blocks of AES and of the stream, pieces of NH, sets and stages. */
const around = (...places) => places.flatMap((n) => [n - 1, n, n + 1]);
const LENGTHS = [
  ...Array.from({ length: 19 }, (_, i) => 16 + i),
  ...around(48, 64, 80, 144, 208, 256, 272, 528, 1024, 1040, 2064, 3088, 4096, 4112, 8208, 65536, 65552, 66576, 131088),
  100,
  200_000,
];
const TWEAKS = [0, 1, 7, 8, 11, 12, 13, 15, 16, 17, 31, 32, 33, 47, 48, 64, 255, 1024, 4096];
const CIPHERS = ['adiantum', 'hpolyc'];
const ROUNDS = [8, 12, 20];
/** Above that the model would take its time. */
const MODELLED = 2100;

const key = pattern(1, 32);

const cases = CIPHERS.flatMap((cipher) =>
  ROUNDS.flatMap((rounds) =>
    LENGTHS.flatMap((length, i) =>
      // Each length with two tweaks, and all tweaks with one length.
      (length === 100 ? TWEAKS : [TWEAKS[i % TWEAKS.length], TWEAKS[(5 * i + 8) % TWEAKS.length]])
        .filter((tweak, j, all) => all.indexOf(tweak) === j)
        .map((tweak) => ({ cipher, rounds, length, tweak })),
    ),
  ),
);

/** The pages by the Go module, as adiantum/main.go prints them. */
function asked() {
  const input = cases.map(({ cipher, rounds, length, tweak }) =>
    [`${cipher}${rounds}`, hex(key), hex(pattern(3, tweak)) || '-', '-', `${hex(pattern(2, length))}\n`].join(' '),
  );
  const cwd = new URL('adiantum', import.meta.url);
  const output = execFileSync('go', ['run', '.'], { cwd, input: input.join(''), encoding: 'utf8', maxBuffer: 1 << 28 });
  return output
    .trim()
    .split('\n')
    .map((page) => say(Buffer.from(page, 'hex')));
}

const wholeHead = ({ cipher, tweak }) => cipher === 'hpolyc' && tweak % 16 === 12;
const say = (page) => `${hex(page.subarray(-16))} ${createHash('sha256').update(page).digest('hex')}`;

const answers = asked();
const tests = cases.map((test, i) => {
  const { cipher, rounds, length, tweak } = test;
  const input = { cipher, rounds, key, tweak: pattern(3, tweak), page: pattern(2, length) };
  const said = wholeHead(test) ? [say(encrypt(input, nobles)), say(encrypt(input))] : [answers[i]];
  if (!wholeHead(test) && length <= MODELLED) said.push(say(encrypt(input)));
  if (said.some((answer) => answer !== said[0])) throw new Error(`${JSON.stringify(test)}: two answers`);
  if (wholeHead(test) && said[0] === answers[i]) throw new Error('the Go module does not pad twice any more');
  const [last, sha256] = said[0].split(' ');
  return { ...test, last, sha256 };
});

await writeOrCheck(
  new URL('disk-edge.json', import.meta.url),
  compact({
    source:
      'Ours: lengths and tweaks between those of the authors, up to 200,000 bytes. Byte i of pattern(label) is 29·label + 7·i + 13·floor(i / 2^8) + floor(i / 2^16) modulo 256; the key is 32 bytes of pattern(1), the page `length` of pattern(2), the tweak `tweak` of pattern(3). last is the last 16 bytes of the ciphertext, sha256 of all of it.',
    made: `node vectors/generate-disk-edge.mjs: lukechampine.com/adiantum v1.1.1 (Go), and up to ${MODELLED} bytes disk-model.mjs; HPolyC with tweaks of 12, 28 ... bytes, which that module pads once too often, by disk-model.mjs with two sets of primitives`,
    licence: 'MIT',
    tests,
  }),
);
