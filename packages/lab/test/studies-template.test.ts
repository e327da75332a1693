/** The templates of pages: what they name is filled, or refused; what was not measured is left out. */
import { expect, test } from 'vitest';
import type { Machine } from '../src/studies/machine.ts';
import { Said } from '../src/studies/prose.ts';
import type { StudyData } from '../src/studies/study.ts';
import { filled } from '../src/studies/template.ts';

const CONTEST = 'platforms/chacha20/encrypt/256';
const engines = ['node26', 'bun', 'firefox-debugger'].map((id) => ({ id, name: `The engine ${id}` }));
const times: Readonly<Record<string, number>> = { 'node26 a, 1': 2, 'node26 b': 3, 'bun a, 1': 2, 'bun b': 5 };
const nanoseconds: Machine['nanoseconds'] = (engine, contest, id) =>
  contest === CONTEST ? times[`${engine} ${id}`] : undefined;
const machine = {
  others: [],
  nanoseconds,
  engines: (contest: string) => (contest === CONTEST ? engines : []),
  speed: (engine: string, contest: string, id: string) =>
    nanoseconds(engine, contest, id) && 1000 / nanoseconds(engine, contest, id)!,
  faster: (engine: string, contest: string, id: string, than: string) =>
    nanoseconds(engine, contest, id) && nanoseconds(engine, contest, than)! / nanoseconds(engine, contest, id)!,
} as unknown as StudyData;

const own = {
  names: { chacha: 'platforms/chacha20/encrypt', a: 'a, *', b: 'b', none: 'none' },
  published: { quoted: new Said('2.54') },
  figures: { gates: new Said('111'), steered: new Said('{{gates}} <b>'), missing: undefined },
  parts: { picture: '![4](x.svg)', 'no-picture': undefined },
  columns: { own: (engine: string, item: string) => new Said(`${engine} ${item}`) },
  shown: (name: string, alternative: string, picture: ((foot?: string) => string) | undefined) =>
    picture && `![${alternative}](${name}.svg)\n${picture()}`,
};
const fill = (template: string): string => filled(template, machine, own);

test.each([
  ['{{chacha/256 a:1÷b}}', '1.50 to 2.50'],
  ['{{chacha/256 a:1÷b−1}}', '50 to 150\u00a0%'],
  ['{{chacha/256 a:1÷b in bun as times}}', '2.5 times'],
  ['{{chacha/256 a:1÷b in main}}', '1.50'],
  ['{{chacha/256 ns(b)}}', '3.00 to 5.00'],
  ['{{chacha/256 speed(b) in usual}}', '200 to 333 MB/s'],
  ['{{64 by RFC 8439 §2.3}} bytes', '64 bytes'],
  ['In {{engines of chacha/256}}.', 'In The engine node26 and The engine bun.'],
  ['{{gates}} gates, {{quoted}} times', '111 gates, 2.54 times'],
  ['{{picture}}', '![4](x.svg)'],
])('%s is %s', (template, text) => expect(fill(template)).toBe(text));

test('a value is text, which is not filled again', () => expect(fill('{{steered}}')).toBe('{{gates}} <b>'));

test.each([
  ['{{gate}}', '"gate" is neither a figure of the study nor an expression'],
  ['{{toString}}', 'neither a figure'],
  ['{{chacha/256 a:1÷c}}', '"c" is no name of the study'],
  ['{{chacha/256 a÷b}}', '"a" does not fit "a, *"'],
  ['{{chacha/256 b:1÷b}}', '"b:1" does not fit "b"'],
  ['{{chacha/65 a:1÷b}}', 'is "platforms/chacha20/encrypt/65", which is no contest'],
  ['{{salsa/64 a:1÷b}}', '"salsa" is no name of the study'],
  ['{{chacha/256 fast(b)}}', '"fast(b)" is no measure'],
  ['{{chacha/256 a:1÷b as furlongs}}', 'expects one of the formats'],
  ['It is 3 times as fast as {{gates}}.', '"3" is written by hand'],
  ['{{missing}} of 3', '"3" is written by hand'],
  ['{{64 by  }}', '"64" is no name of the study'],
])('refused: %s', (template, message) => expect(() => fill(template)).toThrow(message));

test('what was not measured is left out: sentences, blocks, and sections without a measured figure', () => {
  const template = [
    '{{picture}}',
    'One.\nIt is {{chacha/256 none÷b}} times.\nTwo.',
    '## Nothing here\n\n{{no-picture}}\n\nPublished were {{quoted}} of {{64 by a test}} bytes.\n{{missing}} times.',
    '## Points\n\n- {{gates}} gates.\n- {{missing}} gates.\n- Three.',
    '## Words\n\nOnly words.',
  ].join('\n\n');
  expect(fill(template)).toBe(
    ['![4](x.svg)', 'One. Two.', '## Points', '- 111 gates.\n- Three.', '## Words', 'Only words.'].join('\n\n'),
  );
});

const block = (...lines: readonly string[]): string => fill(['```' + lines[0], ...lines.slice(1), '```'].join('\n'));
const rows = (text: string): string[] => text.split('\n').map((line) => line.replaceAll('\u00a0', ' '));

test('a table has a row for each engine or item, and columns of figures', () => {
  const head = ['table', 'head: engine'];
  expect(
    rows(block(...head, 'rows: newest chacha/256', 'a, MB/s | chacha/256 speed(a:1)', 'a ÷ b | chacha/256 a:1÷b')),
  ).toEqual([
    '| engine | a, MB/s | a ÷ b |',
    '| --- | --: | --: |',
    '| The engine node26 | 500 | 1.50 |',
    '| The engine bun | 500 | 2.50 |',
  ]);
  expect(
    rows(block(...head, 'engine: chacha/256', 'rows: items a:1 = A 1; b', 'ns | chacha/256 ns($)', 'own | own')).slice(
      2,
    ),
  ).toEqual(['| A 1 | 2.00 | node26 a:1 |', '| b | 3.00 | node26 b |']);
  expect(
    rows(
      block('table', 'head: one; other', 'names: 2', 'rows: items 1 × engines chacha/256', 'ns | chacha/256 ns(a:$)'),
    ),
  ).toContain('| 1 | The engine bun | 2.00 |');
  expect(block(...head, 'rows: newest chacha/65536', 'a | chacha/65536 ns(b)')).toBe('');
});

test('pictures have bars and curves of the same', () => {
  const words = ['alt: the $main', 'title: In $main', 'description: d', 'engine: chacha/256'];
  const picture = block('bars x', ...words, 'axis: ns', 'rows: items a:1; b', 'time | chacha/256 ns($)');
  expect(picture).toContain('![the The engine node26](x.svg)');
  for (const text of ['>In The engine node26<', '>2.00<', '>3.00<']) expect(picture).toContain(text);
  const curve = ['x: bytes; ticks 1', 'y: ns', 'dots', 'points: 1', 'time | chacha/256 ns($:$x)'];
  expect(block('lines x', ...words, 'rows: items a', ...curve)).toContain('<circle');
});

test('a part with a heading of its own is left out if none of its figures was measured', () =>
  expect(fill('## A\n\nText.\n\n### B\n\n{{missing}}\n\n### C\n\n{{gates}} gates.')).toBe(
    '## A\n\nText.\n\n### C\n\n111 gates.',
  ));

test('bars of processors have one for each machine that has measured, and there is no picture of a single one', () => {
  const other = { ...machine, processor: 'Another (family 1, model 2)' };
  const text = ['```processors p', 'alt: a', 'title: t', 'description: The {{gates}} gates', 'axis: ns'];
  const drawn = (others: readonly StudyData[]): string =>
    filled(
      [...text, 'contest: chacha/256', 'ns | chacha/256 ns(b)', '```'].join('\n'),
      { ...machine, processor: 'This one', others },
      own,
    );
  for (const words of ['>This one<', '>Another<', '>The 111 gates<', '>5.00<']) expect(drawn([other])).toContain(words);
  expect(drawn([])).toBe('');
});

test('a block of another kind of rows, or of a name that is not known, is an error', () => {
  expect(() => block('table', 'head: x', 'rows: all chacha/256', 'a | chacha/256 ns(b)')).toThrow('expected newest');
  expect(() => block('table', 'head: x', 'rows: newest chacha/256', 'a | chacha/256 ns(c)')).toThrow('"c" is no name');
});
