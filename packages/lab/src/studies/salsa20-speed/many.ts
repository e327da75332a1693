/** Many keys, many messages under way, and any position of the stream. */
import { lines } from '../../charts/lines.ts';
import { engineBars, engineTable } from '../forms.ts';
import { newest } from '../newest.ts';
import { countText, plain, rangeText, ratioText } from '../numbers.ts';
import { Said } from '../prose.ts';
import { called, CIPHERS, mainEngine, names, SALSA, type Question } from './cases.ts';

const COUNTS = [1, 16, 256, 4096, 65536, 2 ** 20] as const;
const [LEAST, MOST] = [1, 2 ** 20];
const turns = (cipher: string, count: number): string => `${cipher}, ${count} keys`;
/** Numbers at ticks: `4096`, `65536` and `1M`. */
const shortCount = (count: number): string => (count >= 2 ** 20 ? `${count / 2 ** 20}M` : String(count));

export const keys: Question = (data, shown) => {
  const main = mainEngine(data, names.keys);
  return {
    figures: { 'keys-main': main && new Said(main.name) },
    parts: {
      'keys-picture':
        main &&
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
              points: COUNTS.map((x) => ({ x, y: data.nanoseconds(main.id, names.keys, turns(cipher, x)) })),
            })),
          }),
        ),
      'keys-table': engineTable(
        data.engines(names.keys),
        [
          'engine',
          'Salsa20, one key, ns',
          new Said(`${countText(MOST)!.text} keys, ns`),
          'ratio',
          'ChaCha20, ratio',
          ...CIPHERS.slice(2).map((cipher) => new Said(`${cipher}, ratio`)),
        ],
        (id) => [
          ...[LEAST, MOST].map((count) => plain(data.nanoseconds(id, names.keys, turns(SALSA, count)))),
          ...CIPHERS.map((cipher) => ratioText(data.faster(id, names.keys, turns(cipher, LEAST), turns(cipher, MOST)))),
        ],
      ),
    },
  };
};

const WAYS = [
  { contest: 'many/chacha20/update', noun: 'streams', name: 'ChaCha20, a stream' },
  { contest: 'many/blake3/update', noun: 'hashers', name: 'BLAKE3, a hasher' },
] as const;
const OBJECTS = [1, 16, 256, 4096] as const;

export const many: Question = (data, shown) => {
  const contests = WAYS.map(({ contest }) => contest);
  const engines = newest(data.engines(...contests));
  const main = mainEngine(data, ...contests);
  const [streamState, hasherState] = WAYS.map(({ contest, noun }) => {
    const bytes = main && data.parameter(main.id, contest, `1 ${noun}`, 'stateBytes');
    return typeof bytes === 'number' ? countText(bytes) : undefined;
  });
  const [streams, hashers] = WAYS.map(({ contest, noun }) =>
    rangeText(engines.map(({ id }) => data.faster(id, contest, `1 ${noun}`, `4096 ${noun}`))),
  );
  return {
    figures: {
      'stream-state': streamState,
      'hasher-state': hasherState,
      'streams-slower': streams,
      'hashers-slower': hashers,
    },
    parts: {
      'many-picture':
        main &&
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
      'many-table': engineTable(
        engines,
        [
          'engine',
          ...WAYS.flatMap(({ noun }) =>
            OBJECTS.map((count) => new Said(`${count} ${noun.slice(0, count === 1 ? -1 : undefined)}, ns`)),
          ),
        ],
        (id) =>
          WAYS.flatMap(({ contest, noun }) =>
            OBJECTS.map((count) => plain(data.nanoseconds(id, contest, `${count} ${noun}`))),
          ),
      ),
    },
  };
};

const POSITIONS = { 'byte 0': 0, '1 MiB': 2 ** 20, '128 GiB': 2 ** 37 } as const;

export const positions: Question = (data, shown) => ({
  figures: {},
  parts: {
    'positions-picture': shown(
      'positions',
      'nanoseconds until one block at each of three positions of the stream is decrypted, in each engine',
      engineBars(
        newest(data.engines(names.seek)),
        {
          title: 'ChaCha20: one block, wherever it is, in nanoseconds',
          description: 'For each engine three bars, one for each position.',
          series: Object.keys(POSITIONS),
          axis: 'nanoseconds, fewer are faster',
        },
        (id) => Object.values(POSITIONS).map((position) => data.nanoseconds(id, names.seek, `position ${position}`)),
      ),
    ),
  },
});

const CREWS = [names['main-thread'], '1 worker', names.two, names.four] as const;

/** Positions in parallel: workers that each take a part of one message. */
export const parallel: Question = (data, shown) => ({
  figures: {
    'virtual-processors': countText(
      data.results.find(({ result }) => result.contests.some(({ id }) => id === names.parallel))?.result.host.vcpus,
    ),
  },
  parts: {
    'parallel-picture': shown(
      'parallel',
      'MB/s of one message of 4 MiB that workers take parts of, by their number, in each engine',
      engineBars(
        newest(data.engines(names.parallel)),
        {
          title: 'ChaCha20, one message of 4 MiB, by parts in workers: MB/s',
          description: 'For each engine four bars: the main thread, and one, two and four workers.',
          series: CREWS,
          axis: 'MB/s',
        },
        (id) => CREWS.map((crew) => data.speed(id, names.parallel, crew)),
      ),
    ),
  },
});
