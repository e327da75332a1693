/** The figures that no block of the page has: those that are sorted, counted or chosen, and pictures of every length and of code. */
import { bars } from '../../charts/bars.ts';
import { lines } from '../../charts/lines.ts';
import { shortBytes } from '../../report/numbers.ts';
import { median } from '../../results/medians.ts';
import { engineTable, measuredBy } from '../forms.ts';
import { shortProcessor, type Machine, type MachineEngine } from '../machine.ts';
import { newest } from '../newest.ts';
import {
  bytesText,
  countText,
  cyclesText,
  listedEngines,
  megabytes,
  percentText,
  plain,
  rangeText,
  timesText,
} from '../numbers.ts';
import { given, listed, Said, say, table } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import { mainOf } from '../template.ts';
import { called, CIPHERS, lengthContest, LENGTHS, names, STUDY, type Question } from './cases.ts';

/** https://cr.yp.to/snuffle.html */
export const published = {
  source: sourceText({ name: 'D. J. Bernstein, “Salsa20 speed”', date: '2005', machine: 'processors of that time' }),
  'published-least': quoted(8),
  'published-most': quoted(17),
};

const processors: Question = (data) => {
  const machines = [data, ...data.others].filter((machine) => machine.engines(names.long).length > 0);
  const engines = measuredBy(machines, names.long);
  const cycles = (id: string) => machines.map((machine) => machine.cycles(id, names.long, names.simd));
  return {
    figures: {
      'processors-cycles': rangeText(
        engines.flatMap(({ id }) => cycles(id)),
        cyclesText,
      ),
    },
    parts: {
      'processors-table': engineTable(
        engines,
        ['engine', ...machines.map(({ processor }) => new Said(shortProcessor(processor)))],
        (id) => cycles(id).map(plain),
      ),
    },
  };
};

const CURVE = 'length/chacha20/encrypt/';
const AUTO = 'lanewise auto';
const MOST = 8192;
const NEAR = 640;
const BLOCK = 64;

const everyLength: Question = (data, shown) => {
  const measured = data
    .contests(CURVE)
    .map((id) => Number(id.slice(CURVE.length)))
    .filter((length) => length <= MOST)
    .sort((a, b) => a - b);
  const engines = newest(data.engines(...measured.map((length) => `${CURVE}${length}`)));
  const nanoseconds = (id: string, length: number) => data.nanoseconds(id, `${CURVE}${length}`, AUTO);
  const over = (id: string, length: number, than: number): number | undefined => {
    const [time, other] = [nanoseconds(id, length), nanoseconds(id, than)];
    return time === undefined || other === undefined ? undefined : time / other;
  };
  /** The share by which one byte after a whole number of blocks takes longer: by ratios of the processes' medians. */
  const overshoot = (id: string, length: number): number | undefined => {
    const ratio = over(id, length + 1, length);
    return ratio === undefined ? undefined : ratio - 1;
  };
  const ends = measured.filter((length) => length > 0 && length % BLOCK === 0 && measured.includes(length + 1));
  const [short, long] = [ends.filter((length) => length <= NEAR), ends.filter((length) => length >= 1024)];
  /** In each engine the median over some lengths, because a single one may be disturbed. */
  const middles = (of: readonly number[], value: (id: string, length: number) => number | undefined) =>
    engines.map(({ id }) => {
      const values = of.flatMap((length) => value(id, length) ?? []);
      return values.length === 0 ? undefined : median(values);
    });
  const picture = (name: string, most: number, alternative: string, title: string, description: string, x: object) =>
    shown(
      name,
      `nanoseconds of a message of ChaCha20 by its length up to ${alternative}, a curve for each engine`,
      lines({
        title,
        description: `A curve for each engine, ${description}`,
        x: { label: 'bytes', ...x },
        y: { label: 'nanoseconds' },
        curves: engines.map(({ id, name: engine }) => ({
          name: engine,
          points: measured.filter((length) => length <= most).map((x) => ({ x, y: nanoseconds(id, x) })),
        })),
      }),
    );
  return {
    figures: {
      'lengths-measured': engines.length === 0 ? undefined : new Said(String(measured.length)),
      'short-overshoot': rangeText(middles(short, overshoot), percentText),
      'long-overshoot': rangeText(middles(long, overshoot), percentText),
      'filled-block': rangeText(middles(short, (id, length) => over(id, length + 1, length + BLOCK))),
    },
    parts: {
      'short-lengths-picture': picture(
        'lengths-short',
        NEAR,
        'ten blocks',
        'ChaCha20, short messages: nanoseconds by length',
        'which rises in steps at whole blocks.',
        { ticks: Array.from({ length: 11 }, (_, i) => BLOCK * i) },
      ),
      'lengths-picture': picture(
        'lengths',
        MOST,
        '8192 bytes',
        'ChaCha20 up to 8192 bytes: nanoseconds by length',
        'nearly a straight line.',
        { ticks: [0, 1024, 2048, 4096, 6144, 8192], format: shortBytes },
      ),
    },
  };
};

/** The least of the measured lengths from which on a case is faster than Salsa20, if it stays so. */
function leastAhead(data: Machine, id: string, name: string): number | undefined {
  const last = LENGTHS.findLastIndex(
    (length) => (data.faster(id, lengthContest(length), name, CIPHERS.salsa) ?? 0) <= 1,
  );
  return LENGTHS.at(last + 1);
}

const ALIGNMENT = `${STUDY}/alignment/1024`;

const alignment: Question = (data) => {
  /** The offset that takes longest, as a share more than none. */
  const worst = (id: string, cipher: string): number | undefined => {
    const ratios = Array.from({ length: 16 }, (_, offset) =>
      data.faster(id, ALIGNMENT, `${cipher}, offset 0`, `${cipher}, offset ${offset}`),
    ).filter((ratio) => ratio !== undefined);
    return ratios.length < 2 ? undefined : Math.max(...ratios) - 1;
  };
  return {
    figures: {
      'worst-offset': rangeText(
        newest(data.engines(ALIGNMENT)).map(({ id }) => worst(id, CIPHERS.salsa)),
        percentText,
      ),
    },
    columns: Object.fromEntries(
      Object.entries(CIPHERS).map(([name, cipher]) => [
        `worst ${name}`,
        (id: string) => percentText(worst(id, cipher)),
      ]),
    ),
  };
};

const WAYS = ['streams', 'hashers'] as const;

const many: Question = (data) => {
  const contests = WAYS.map((way) => names[`many-${way}`]);
  const engines = newest(data.engines(...contests));
  const main = mainOf(data.engines(...contests));
  const figures = WAYS.flatMap((way, i) => {
    const bytes = main && data.parameter(main.id, contests[i], `1 ${way}`, 'stateBytes');
    return [
      [`${way.slice(0, -1)}-state`, typeof bytes === 'number' ? countText(bytes) : undefined],
      [`${way}-slower`, rangeText(engines.map(({ id }) => data.faster(id, contests[i], `1 ${way}`, `4096 ${way}`)))],
    ] as const;
  });
  return { figures: Object.fromEntries(figures) };
};

/** Of the engine of plots that have room for one. */
const keys: Question = (data) => {
  const main = mainOf(data.engines(names.keys));
  return { figures: { 'keys-main': main && new Said(main.name) } };
};

/** Positions in parallel: workers that each take a part of one message. */
const parallel: Question = (data) => ({
  figures: {
    'virtual-processors': countText(
      data.results.find(({ result }) => result.contests.some(({ id }) => id === names.parallel))?.result.host.vcpus,
    ),
  },
});

/** The share of a call that a step of the clock may be. */
const FINE = 0.25;
const COMPANY = ['warm', 'after other code', 'caches evicted'] as const;
type Company = (typeof COMPANY)[number];

const context: Question = (data) => {
  const nanoseconds = (id: string, cipher: string, how: Company) =>
    data.nanoseconds(id, names.context, `${cipher}, ${how}`);
  /** One call is timed, so that a clock with steps as long as a call says nothing of it. */
  const isFine = ({ id }: MachineEngine): boolean => {
    const [step, call] = [data.clockStep(id), nanoseconds(id, CIPHERS.salsa, 'warm')];
    return step === undefined || call === undefined || step <= call * FINE;
  };
  const measured = data.engines(names.context);
  const all = measured.filter(isFine);
  const coarse = measured.filter((engine) => !isFine(engine));
  const slower = (cipher: string, how: Company) =>
    newest(all).map(({ id }) => data.faster(id, names.context, `${cipher}, warm`, `${cipher}, ${how}`));
  return {
    figures: {
      'salsa-after': rangeText(slower(CIPHERS.salsa, 'after other code')),
      'chacha-after': rangeText(slower(CIPHERS.chacha, 'after other code')),
      'salsa-evicted': rangeText(slower(CIPHERS.salsa, 'caches evicted'), timesText),
      'noble-evicted': rangeText(slower(CIPHERS['noble-aes'], 'caches evicted'), timesText),
      'coarse-clocks': say`${listedEngines(coarse)} ${coarse.length === 1 ? 'is' : 'are'} left out: their clocks have steps as long as such a call.`,
    },
    parts: {
      'context-table': engineTable(
        all,
        [
          'engine',
          ...[CIPHERS.salsa, CIPHERS.chacha].flatMap((cipher) =>
            COMPANY.map((how) => new Said(`${called(cipher)}, ${how}, ns`)),
          ),
        ],
        (id) =>
          [CIPHERS.salsa, CIPHERS.chacha].flatMap((cipher) =>
            COMPANY.map((how) => plain(nanoseconds(id, cipher, how))),
          ),
      ),
    },
  };
};

const CODE = `${names.code}/4096`;
const SALSA_CODE = `${names.code}/salsa20/4096`;
const OURS: Readonly<Record<string, string>> = { 'simd kernel': 'SIMD', 'scalar kernel': 'scalar' };

const code: Question = (data, shown) => {
  const main = mainOf(data.engines(CODE));
  /** Kernels of ChaCha20 by their names, and those of Salsa20. */
  const kernelsOf = (engine: string, contest: string, cipher: string) =>
    data.cases(engine, contest).flatMap((id) => {
      const bytes = data.parameter(engine, contest, id, 'codeBytes');
      if (typeof bytes !== 'number') return [];
      const name = OURS[id] === undefined ? id : `the library, ${cipher}, ${OURS[id]}`;
      return [{ id, name, bytes, speed: data.speed(engine, contest, id), cycles: data.cycles(engine, contest, id) }];
    });
  const kernels = main
    ? [...kernelsOf(main.id, CODE, 'ChaCha20'), ...kernelsOf(main.id, SALSA_CODE, 'Salsa20')].sort(
        (a, b) => a.bytes - b.bytes,
      )
    : [];
  const byHand = kernels.filter(({ id }) => id.includes('by hand'));
  const fastest = byHand.toSorted((a, b) => (b.speed ?? 0) - (a.speed ?? 0)).at(0);
  return {
    figures: {
      'code-main': main && new Said(main.name),
      'code-least': countText(byHand.at(0)?.bytes),
      'code-most': countText(byHand.at(-1)?.bytes),
      fastest: fastest && new Said(fastest.id),
      'fastest-bytes': countText(fastest?.bytes),
      'rolled-bytes': countText(byHand.find(({ id }) => id === names['one-set'])?.bytes),
    },
    parts: {
      'code-picture': shown(
        'code',
        'bytes of the module of each kernel, in rising order',
        bars({
          title: 'Kernels: bytes of WebAssembly',
          description:
            'One bar for each kernel, from the smallest to those of the library, which have all its functions.',
          series: ['bytes'],
          axis: 'bytes of the module',
          format: (value) => countText(value)!.text,
          groups: kernels.map(({ name, bytes }) => ({ name, values: [bytes] })),
        }),
        '',
      ),
      'code-table': table(
        ['kernel', 'bytes of code', 'MB/s', 'cycles a byte'],
        kernels.map(({ name, bytes, speed, cycles }) => [
          new Said(name),
          countText(bytes),
          megabytes(speed),
          plain(cycles),
        ]),
      ),
    },
  };
};

const aes: Question = (data) => {
  const engines = newest(data.engines(...LENGTHS.map(lengthContest)));
  /** AES that comes with the engine, the faster one where there are two. */
  const platformAes = (id: string): string | undefined =>
    [CIPHERS['node-aes'], CIPHERS['web-aes']]
      .filter((name) => data.speed(id, lengthContest(65536), name) !== undefined)
      .sort(
        (a, b) => (data.speed(id, lengthContest(65536), b) ?? 0) - (data.speed(id, lengthContest(65536), a) ?? 0),
      )[0];
  const ahead = engines.flatMap(({ id, name }) => {
    const best = platformAes(id);
    if (best === undefined) return [];
    const least = leastAhead(data, id, best);
    return least === undefined
      ? [say`at no length up to ${given('64 KiB', 'the longest of the contests')} in ${new Said(name)}`]
      : [say`from ${bytesText(least)} in ${new Said(name)}`];
  });
  const short = newest(data.engines(lengthContest(64))).map(({ id }) => {
    const best = platformAes(id);
    return best === undefined ? undefined : data.faster(id, lengthContest(64), CIPHERS.salsa, best);
  });

  return { figures: { 'aes-ahead': listed(ahead), 'over-platform-aes': rangeText(short, timesText) } };
};

/** In the order of the page. */
export const QUESTIONS: readonly Question[] = [
  processors,
  everyLength,
  alignment,
  keys,
  many,
  parallel,
  context,
  code,
  aes,
];
