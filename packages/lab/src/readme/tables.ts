/** The table of speeds in the README, drawn from a result of the lab: no figure in it is written by hand. */
import { nanosecondsOf, oursIn, ratio } from '../report/groups.ts';
import { megabytesPerSecond, significant } from '../report/numbers.ts';
import type { Result } from '../results/schema.ts';
import { viewOf, type View } from '../results/view.ts';

/** The engine of which the README tells. */
const ENGINE = 'node26';

interface Row {
  readonly title: string;
  readonly contest: string;
  /** Rivals that the table names; the lab's report has all. */
  readonly rivals: readonly string[];
}

const AEADS = ['libsodium.js', 'noble', 'node:crypto'];
const BLAKE3 = ['fuzdev', 'blake3-jit', 'hash-wasm', 'noble', 'native SSE4.1'];
const BOXES = ['libsodium.js', 'noble', 'tweetnacl'];
const DISKS = ['noble, AES-256-CTR', 'Go, native', 'node:crypto, AES-256-XTS'];

const ROWS: readonly Row[] = [
  { title: 'ChaCha20, 64 KiB', contest: 'platforms/chacha20/encrypt/65536', rivals: AEADS },
  { title: 'ChaCha20-Poly1305, 64 KiB', contest: 'platforms/chacha20poly1305/seal/65536', rivals: AEADS },
  { title: 'XChaCha20-Poly1305, 1 KiB', contest: 'platforms/xchacha20poly1305/seal/1024', rivals: AEADS },
  { title: 'XChaCha20-Poly1305, 64 B', contest: 'platforms/xchacha20poly1305/seal/64', rivals: AEADS },
  { title: 'BLAKE3, 64 KiB', contest: 'platforms/blake3/hash/65536', rivals: BLAKE3 },
  { title: 'BLAKE3, 96 B', contest: 'platforms/blake3/hash/96', rivals: BLAKE3 },
  { title: 'secretbox, 64 KiB', contest: 'platforms/secretbox/seal/65536', rivals: BOXES },
  {
    title: 'Serpent-256-CTR, 64 KiB',
    contest: 'platforms/serpent-ctr/encrypt/65536',
    rivals: ['bcrypto', 'native libgcrypt'],
  },
  { title: 'Adiantum, 4096-byte pages', contest: 'platforms/adiantum/pages/65536', rivals: DISKS },
  { title: 'HPolyC, 4096-byte pages', contest: 'platforms/hpolyc/pages/65536', rivals: DISKS },
];

/** Code that is no JavaScript: the processor's widest vectors, and instructions for AES. */
const isNative = (name: string): boolean => /native|node:crypto|WebCrypto/.test(name);

interface Rival {
  readonly name: string;
  readonly times: number;
}

function rivalsIn(view: View, contest: string, named: readonly string[]): { speed: string; rivals: Rival[] } {
  const engine = view.engines.find(({ key }) => key === ENGINE);
  if (!engine) throw new Error(`the result has no ${ENGINE}`);
  const cases = view.cases(engine, contest);
  const own = oursIn(cases);
  if (!own) throw new Error(`the result has no ${contest} in ${ENGINE}`);
  const rivals = cases
    .filter(({ description }) => named.includes(description.id))
    .flatMap(({ description: { id } }) => {
      const found = ratio(view, engine, contest, id, own.description.id);
      return found ? [{ name: id, times: found.value }] : [];
    })
    .sort((a, b) => a.times - b.times);
  return { speed: megabytesPerSecond(own.description.bytes, nanosecondsOf(own)), rivals };
}

const listed = (rivals: readonly Rival[]): string =>
  rivals.map(({ name, times }) => `${name.replace(/native |, native/, '')} ${significant(times)}`).join(', ') || 'none';

/** The section, as Prettier leaves it: a paragraph about the run, and a table. */
export function speedSection(result: Result, name: string): string {
  const view = viewOf(result);
  const { host, sessions } = result;
  const processes = sessions.filter(({ engine }) => engine === ENGINE).length;
  const rows = ROWS.map(({ title, contest, rivals: named }) => {
    const { speed, rivals } = rivalsIn(view, contest, named);
    return [
      title,
      speed,
      listed(rivals.filter((rival) => !isNative(rival.name))),
      listed(rivals.filter((rival) => isNative(rival.name))),
    ];
  });
  const head = ['into a given buffer', 'MB/s', 'times as fast as', 'as native code'];
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i].length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [
    `One run of the lab (${name}) on ${host.cpu}, ${view.engines.find(({ key }) => key === ENGINE)!.name}, ${processes} processes: medians of paired ratios.`,
    '',
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
  ].join('\n');
}

const START = '<!-- `npm run figures` writes from here … -->';
const END = '<!-- … to here. -->';

/** The README with that section between its marks. */
export function withSpeeds(readme: string, section: string): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the README lacks the marks "${START}" and "${END}"`);
  return `${readme.slice(0, start + START.length)}\n\n${section}\n\n${readme.slice(end)}`;
}
