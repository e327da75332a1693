/** Many keys, many messages under way, and any position of the stream. */
import { bars } from '../bars.ts';
import { lines } from '../lines.ts';
import { newest } from '../newest.ts';
import { countText, listedEngines, plain, rangeText, ratioText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { called, CHACHA, CIPHERS, mainEngine, SALSA, STUDY } from './ciphers.ts';

const KEYS = `${STUDY}/keys/64`;
const COUNTS = [1, 16, 256, 4096, 65536, 2 ** 20] as const;
const turns = (cipher: string, count: number): string => `${cipher}, ${count} keys`;
/** Numbers at ticks: `4096`, `65536` and `1M`. */
const shortCount = (count: number): string => (count >= 2 ** 20 ? `${count / 2 ** 20}M` : String(count));

export function keys(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(KEYS);
  const engines = newest(all);
  const main = mainEngine(data, KEYS);
  if (main === undefined) return [];
  const [least, most] = [COUNTS[0], COUNTS[COUNTS.length - 1]];
  const slower = (id: string, cipher: string) => data.faster(id, KEYS, turns(cipher, least), turns(cipher, most));
  return [
    heading('One key, or many?'),
    shown(
      'keys',
      `nanoseconds of a message of 64 bytes by the number of keys in turns, a curve for each cipher, in ${main.name}`,
      lines({
        title: `64 bytes under each of many keys in turns, in ${main.name}: nanoseconds`,
        description: 'A curve for each cipher: how long a message takes by the number of keys.',
        x: { label: 'keys', logarithmic: true, ticks: COUNTS, format: shortCount },
        y: { label: 'nanoseconds of a message', logarithmic: true },
        dots: true,
        curves: CIPHERS.map((cipher) => ({
          name: called(cipher),
          points: COUNTS.map((x) => ({ x, y: data.nanoseconds(main.id, KEYS, turns(cipher, x)) })),
        })),
      }),
    ),
    paragraph(
      say`From one key to ${countText(most)} keys in turns, a message of Salsa20 takes ${rangeText(engines.map(({ id }) => slower(id, SALSA)))} times as long, and one of ChaCha20 ${rangeText(engines.map(({ id }) => slower(id, CHACHA)))} times.`,
      say`Neither has a key schedule: the key is a part of the block, and nothing is kept of it. AES has to expand each key, which noble does in JavaScript at ${plain(data.nanoseconds(main.id, KEYS, turns('noble, AES-256-CTR', most)))} ns a message in ${new Said(main.name)}.`,
    ),
    table(
      [
        'engine',
        'Salsa20, one key, ns',
        new Said(`${countText(most)!.text} keys, ns`),
        'ratio',
        'ChaCha20, ratio',
        ...CIPHERS.slice(2).map((cipher) => new Said(`${cipher}, ratio`)),
      ],
      all.map(({ id, name }) => [
        new Said(name),
        plain(data.nanoseconds(id, KEYS, turns(SALSA, least))),
        plain(data.nanoseconds(id, KEYS, turns(SALSA, most))),
        ...CIPHERS.map((cipher) => ratioText(slower(id, cipher))),
      ]),
    ),
  ];
}

const WAYS = [
  { contest: 'many/chacha20/update', noun: 'streams', name: 'ChaCha20, a stream' },
  { contest: 'many/blake3/update', noun: 'hashers', name: 'BLAKE3, a hasher' },
] as const;
const OBJECTS = [1, 16, 256, 4096] as const;

export function many(data: StudyData, shown: Shown): (string | undefined)[] {
  const engines = newest(data.engines(...WAYS.map(({ contest }) => contest)));
  const main = mainEngine(data, ...WAYS.map(({ contest }) => contest));
  if (main === undefined) return [];
  const state = ({ contest, noun }: (typeof WAYS)[number]): number | undefined => {
    const bytes = data.parameter(main.id, contest, `${OBJECTS[0]} ${noun}`, 'stateBytes');
    return typeof bytes === 'number' ? bytes : undefined;
  };
  const slower = (id: string, { contest, noun }: (typeof WAYS)[number]) =>
    data.faster(id, contest, `${OBJECTS[0]} ${noun}`, `${OBJECTS[OBJECTS.length - 1]} ${noun}`);
  const [stream, hasher] = WAYS;
  return [
    heading('One message, or many under way?'),
    shown(
      'many',
      `nanoseconds of one block by the number of streams or hashers that take turns, in ${main.name}`,
      lines({
        title: `Many messages under way, a block for each in turns, in ${main.name}: nanoseconds`,
        description: 'A curve for streams of ChaCha20, and one for hashers of BLAKE3.',
        x: { label: 'streams or hashers', logarithmic: true, ticks: OBJECTS },
        y: { label: 'nanoseconds of a block' },
        dots: true,
        curves: WAYS.map(({ contest, noun, name }) => ({
          name,
          points: OBJECTS.map((x) => ({ x, y: data.nanoseconds(main.id, contest, `${x} ${noun}`) })),
        })),
      }),
    ),
    paragraph(
      say`A stream of ChaCha20 or Salsa20 keeps ${countText(state(stream))} bytes of state: its input block, of which the next block is made.`,
      say`A hasher of BLAKE3 keeps ${countText(state(hasher))} bytes in its first chunk. AES-256 with expanded keys has ${given(240, 'FIPS 197 §5.2: 15 round keys of 16 bytes')} bytes of them, besides its counter.`,
      say`With ${countText(OBJECTS[OBJECTS.length - 1])} streams in turns a block takes ${rangeText(engines.map(({ id }) => slower(id, stream)))} times as long as with one, with as many hashers ${rangeText(engines.map(({ id }) => slower(id, hasher)))} times: a single one gets all blocks, so that it has longer trees to merge.`,
    ),
    table(
      [
        'engine',
        ...WAYS.flatMap((way) =>
          OBJECTS.map((count) => new Said(`${count} ${way.noun.slice(0, count === 1 ? -1 : undefined)}, ns`)),
        ),
      ],
      engines.map(({ id, name }) => [
        new Said(name),
        ...WAYS.flatMap(({ contest, noun }) =>
          OBJECTS.map((count) => plain(data.nanoseconds(id, contest, `${count} ${noun}`))),
        ),
      ]),
    ),
  ];
}

const SEEK = 'parallel/first-byte/chacha20/encrypt';
const POSITIONS = [0, 2 ** 20, 2 ** 37] as const;
const positionText = (position: number): string =>
  position === 0 ? 'byte 0' : position < 2 ** 30 ? `${position / 2 ** 20} MiB` : `${position / 2 ** 30} GiB`;

export function positions(data: StudyData, shown: Shown): (string | undefined)[] {
  const engines = newest(data.engines(SEEK));
  if (engines.length === 0) return [];
  const seek = (id: string, position: number) => data.nanoseconds(id, SEEK, `position ${position}`);
  const slower = (id: string) => data.faster(id, SEEK, `position ${POSITIONS[0]}`, `position ${POSITIONS[2]}`);
  return [
    heading('From the beginning, or anywhere?'),
    shown(
      'positions',
      'nanoseconds until one block at each of three positions of the stream is decrypted, in each engine',
      bars({
        title: 'ChaCha20: one block, wherever it is, in nanoseconds',
        description: 'For each engine three bars, one for each position.',
        series: POSITIONS.map(positionText),
        axis: 'nanoseconds, fewer are faster',
        groups: engines.map(({ id, name }) => ({ name, values: POSITIONS.map((position) => seek(id, position)) })),
      }),
    ),
    paragraph(
      say`A block is made of the key, the nonce and its number, so that any part of a message can be handled first, or by another processor.`,
      say`A block ${new Said(positionText(POSITIONS[2]))} from the beginning takes ${rangeText(engines.map(({ id }) => slower(id)))} times as long as the first one in ${listedEngines(engines)}.`,
    ),
    ...inParallel(data, shown),
  ];
}

const PARALLEL = 'parallel/workers/chacha20/encrypt/4194304';
const MAIN_THREAD = 'main thread';
const CREWS = [MAIN_THREAD, '1 worker', '2 workers', '4 workers'] as const;

/** Positions in parallel: workers that each take a part of one message. */
function inParallel(data: StudyData, shown: Shown): (string | undefined)[] {
  const engines = newest(data.engines(PARALLEL));
  if (engines.length === 0) return [];
  const gain = (id: string, crew: (typeof CREWS)[number]) => data.faster(id, PARALLEL, crew, MAIN_THREAD);
  const processors = data.results.find(({ result }) => result.contests.some(({ id }) => id === PARALLEL))?.result.host
    .vcpus;
  return [
    shown(
      'parallel',
      'MB/s of one message of 4 MiB that workers take parts of, by their number, in each engine',
      bars({
        title: 'ChaCha20, one message of 4 MiB, by parts in workers: MB/s',
        description: 'For each engine four bars: the main thread, and one, two and four workers.',
        series: CREWS,
        axis: 'MB/s',
        groups: engines.map(({ id, name }) => ({ name, values: CREWS.map((crew) => data.speed(id, PARALLEL, crew)) })),
      }),
    ),
    paragraph(
      say`Two workers with a half each are ${rangeText(engines.map(({ id }) => gain(id, '2 workers')))} times as fast as the main thread alone, and four ${rangeText(engines.map(({ id }) => gain(id, '4 workers')))} times, on ${countText(processors)} virtual processors.`,
      '[Many cores](../many-cores.md) has more of it.',
    ),
  ];
}
