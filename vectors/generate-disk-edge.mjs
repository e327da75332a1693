// Makes disk-edge.json: Adiantum and HPolyC where the authors' vectors have gaps, by the Go module lukechampine.com/adiantum,
// and by disk-model.mjs where that is quick.  node vectors/generate-disk-edge.mjs [--check]     Needs Go.
//
// In HPolyC that module pads what is a whole block already, 4 bytes of length and a tweak of 12, 28, 44 ... bytes, with
// another block; the authors' python/hpolyc.py does not, and their own vectors have no such tweak. For these the model
// speaks alone, with its own primitives and with those of noble.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const PROGRAM = `package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"

	"lukechampine.com/adiantum"
	"lukechampine.com/adiantum/hbsh"
	"lukechampine.com/adiantum/hpolyc"
)

func pattern(label, length int) []byte {
	b := make([]byte, length)
	for i := range b {
		b[i] = byte(label*29 + i*7 + (i>>8)*13 + (i >> 16))
	}
	return b
}

func main() {
	in := bufio.NewReader(os.Stdin)
	makers := map[string]func([]byte) *hbsh.HBSH{
		"adiantum8": adiantum.New8, "adiantum12": adiantum.New, "adiantum20": adiantum.New20,
		"hpolyc8": hpolyc.New8, "hpolyc12": hpolyc.New, "hpolyc20": hpolyc.New20,
	}
	for {
		var name string
		var length, tweak int
		if _, err := fmt.Fscan(in, &name, &length, &tweak); err != nil {
			return
		}
		page := makers[name](pattern(1, 32)).Encrypt(pattern(2, length), pattern(3, tweak))
		fmt.Printf("%x %x\\n", page[len(page)-16:], sha256.Sum256(page))
	}
}
`;
const SUMS = `lukechampine.com/adiantum v1.1.1 h1:4fp6gTxWCqpEbLy40ExiYDDED3oUNWx5cTqBCtPdZqA=
lukechampine.com/adiantum v1.1.1/go.mod h1:LrAYVnTYLnUtE/yMp5bQr0HstAf060YUF8nM0B6+rUw=
golang.org/x/crypto v0.23.0 h1:dIJU/v2J8Mdglj/8rJ6UUOM3Zc9zLZxVZwwxMooUSAI=
golang.org/x/crypto v0.23.0/go.mod h1:CKFgDieR+mRhux2Lsu27y0fO304Db0wZe70UKqHu0v8=
golang.org/x/sys v0.20.0 h1:Od9JTbYCk261bKm4M/mw7AklTlFYIa0bIp9BgSm1S8Y=
golang.org/x/sys v0.20.0/go.mod h1:/VUhepiaJMQUp4+oa/7Zr1D23ma6VTLIYjOOTFZPUcA=
`;

function asked() {
  const dir = mkdtempSync(join(tmpdir(), 'lanewise-disk-'));
  try {
    writeFileSync(
      join(dir, 'go.mod'),
      'module oracle\n\ngo 1.21\n\nrequire lukechampine.com/adiantum v1.1.1\n\nrequire (\n\tgolang.org/x/crypto v0.23.0 // indirect\n\tgolang.org/x/sys v0.20.0 // indirect\n)\n',
    );
    writeFileSync(join(dir, 'go.sum'), SUMS);
    writeFileSync(join(dir, 'main.go'), PROGRAM);
    const input = cases.map(({ cipher, rounds, length, tweak }) => `${cipher}${rounds} ${length} ${tweak}\n`).join('');
    const output = execFileSync('go', ['run', '.'], { cwd: dir, input, encoding: 'utf8', maxBuffer: 1 << 26 });
    return output.trim().split('\n');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
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
