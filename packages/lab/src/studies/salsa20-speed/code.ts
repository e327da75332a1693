/** How much code, and in which direction. */
import { bars } from '../../charts/bars.ts';
import { engineTable } from '../forms.ts';
import { countText, megabytes, plain, ratioText } from '../numbers.ts';
import { Said, table } from '../prose.ts';
import { called, mainEngine, names, type Question } from './cases.ts';

const CODE = `${names.code}/4096`;
const SALSA_CODE = `${names.code}/salsa20/4096`;
const OURS: Readonly<Record<string, string>> = { 'simd kernel': 'SIMD', 'scalar kernel': 'scalar' };

export const code: Question = (data, shown) => {
  const main = mainEngine(data, CODE);
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

const PAIRS = [
  'lanewise auto, secretbox',
  ...['node:crypto', 'WebCrypto', 'noble'].map((name) => `${name}, AES-256-GCM`),
];
const BOTH = ['seal', 'open'] as const;

export const direction: Question = (data, shown) => {
  const main = mainEngine(data, names.direction);
  const speed = (id: string, pair: string, way: string) => data.speed(id, names.direction, `${pair}, ${way}`);
  return {
    figures: {},
    parts: {
      'direction-picture':
        main &&
        shown(
          'direction',
          `MB/s of sealing and of opening with secretbox and with AES-256-GCM, in ${main.name}`,
          bars({
            title: `Sealing and opening 64 KiB in ${main.name}: MB/s`,
            description: 'For each contestant two bars, one for each direction.',
            series: BOTH,
            axis: 'MB/s',
            groups: PAIRS.map((pair) => ({
              name: called(pair),
              values: BOTH.map((way) => speed(main.id, pair, way)),
            })),
          }),
        ),
      'direction-table': engineTable(
        data.engines(names.direction),
        [
          'engine',
          'secretbox, seal, MB/s',
          'open, MB/s',
          ...PAIRS.map((pair) => new Said(`${called(pair)}, open ÷ seal`)),
        ],
        (id) => [
          ...BOTH.map((way) => megabytes(speed(id, PAIRS[0], way))),
          ...PAIRS.map((pair) => ratioText(data.faster(id, names.direction, `${pair}, open`, `${pair}, seal`))),
        ],
      ),
    },
  };
};
