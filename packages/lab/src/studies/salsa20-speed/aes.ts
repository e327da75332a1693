/** AES beside Salsa20, and what the page means. */
import { bars } from '../bars.ts';
import { newest } from '../newest.ts';
import { bytesText, megabytes, rangeText, timesText } from '../numbers.ts';
import { bullets, given, heading, listed, paragraph, say, table, Said } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { AES, called, CIPHERS, SALSA, STUDY } from './ciphers.ts';
import { leastAhead, lengthContest, LENGTHS } from './lengths.ts';

const LONG = lengthContest(65536);
const SHORT = lengthContest(64);
const CODE = `${STUDY}/code/4096`;
const ONE_SET = 'memory 1x4 by hand';
const THREE_SETS = 'memory 3x4 by hand';
const MAIN = 'node26';

/** AES that comes with the engine, the faster one where there are two. */
const platformAes = (data: StudyData, id: string): string | undefined =>
  AES.slice(0, 2)
    .filter((name) => data.speed(id, LONG, name) !== undefined)
    .sort((a, b) => (data.speed(id, LONG, b) ?? 0) - (data.speed(id, LONG, a) ?? 0))[0];

export function aes(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(...LENGTHS.map(lengthContest));
  const engines = newest(all);
  if (engines.length === 0) return [];
  const ahead = engines.flatMap(({ id, name }) => {
    const best = platformAes(data, id);
    if (best === undefined) return [];
    const least = leastAhead(data, id, best);
    return least === undefined
      ? [say`at no length up to ${given('64 KiB', 'the longest of the contests')} in ${new Said(name)}`]
      : [say`from ${bytesText(least)} in ${new Said(name)}`];
  });
  return [
    heading('And AES?'),
    shown(
      'aes',
      'MB/s of Salsa20, ChaCha20 and AES-256-CTR with 64 KiB in each engine',
      bars({
        title: 'Salsa20, ChaCha20 and AES-256-CTR, 64 KiB: MB/s',
        description: 'For each engine a dot for each cipher and library, on a logarithmic scale.',
        series: CIPHERS.map(called),
        axis: 'MB/s',
        logarithmic: true,
        groups: engines.map(({ id, name }) => ({
          name,
          values: CIPHERS.map((cipher) => data.speed(id, LONG, cipher)),
        })),
      }),
    ),
    paragraph(
      'Processors have an instruction for AES by now, but JavaScript cannot use it itself: an engine offers it behind promises, and Node, Bun and Deno behind a synchronous call as well.',
      ahead.length > 0 ? say`AES of the engine is faster than Salsa20 of the library ${listed(ahead)}.` : undefined,
      say`In plain JavaScript, by noble, AES is slower: Salsa20 is ${rangeText(
        engines.map(({ id }) => data.faster(id, LONG, SALSA, 'noble, AES-256-CTR')),
        timesText,
      )} as fast with ${given('64 KiB', 'the contest')} and ${rangeText(
        engines.map(({ id }) => data.faster(id, SHORT, SALSA, 'noble, AES-256-CTR')),
        timesText,
      )} with ${given(64, 'the contest')} bytes.`,
    ),
    table(
      ['message', 'engine', ...CIPHERS.map((cipher) => new Said(`${called(cipher)}, MB/s`))],
      [64, 4096, 65536].flatMap((length) =>
        all.map(({ id, name }) => [
          bytesText(length),
          new Said(name),
          ...CIPHERS.map((cipher) => megabytes(data.speed(id, lengthContest(length), cipher))),
        ]),
      ),
      2,
    ),
  ];
}

export function meaning(data: StudyData): (string | undefined)[] {
  const engines = newest(data.engines(SHORT));
  const short = engines.map(({ id }) => {
    const best = platformAes(data, id);
    return best === undefined ? undefined : data.faster(id, SHORT, SALSA, best);
  });
  return [
    heading('For somebody who writes such code'),
    bullets(
      'Publish a curve, not a number. The speed of long messages says nothing about a message of one block, and most messages are short.',
      say`Count the call. With ${given(64, 'the contest')} bytes Salsa20 is ${rangeText(short, timesText)} as fast as AES of the engine, whose calls cost more than the cipher.`,
      'A cipher without a key schedule and without tables has nearly the same speed with many keys, at every offset and at every position; what matters most is the length.',
      say`Bytes of code are well spent on sets in turns: three sets are ${timesText(data.faster(MAIN, CODE, THREE_SETS, ONE_SET))} as fast as one in Node.`,
    ),
  ];
}
