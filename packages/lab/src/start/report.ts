/** The output of `npm start`: a table, and a paragraph about how it was made. */
import type { CipherContestant } from '../client/contestants/contestant.ts';
import { opening, sealing, type Field, type JobResult } from './job.ts';
import { hostLine } from '../host.ts';
import { duration, megabytesPerSecond, significant, size, table, wrapped } from '../report/text-table.ts';
import { median, pairedRatio } from '../results/medians.ts';

/** Speeds of shorter files are dominated by the cost of the call. */
const LEAST_FOR_SPEED = 16 * 1024;

const LINE = 118;

export interface About {
  /** The name of the file in the report. */
  readonly file: string;
  readonly bytes: number;
  readonly relaxed: boolean;
  /** The reason why the library did not choose its best engine. */
  readonly reason: string | undefined;
}

export function fileReport(about: About, field: Field, { faults, missing, samples }: JobResult): string {
  const { nanoseconds } = samples;
  const isSpeed = about.bytes >= LEAST_FOR_SPEED;
  const unit = isSpeed ? ' MB/s' : '';
  const shown = (id: string): string => {
    if (!nanoseconds[id]) return '-';
    const time = median(nanoseconds[id]);
    return isSpeed ? megabytesPerSecond(about.bytes, time) : duration(time);
  };
  const ratio = (id: string, ours: string): string =>
    nanoseconds[id] && nanoseconds[ours] ? `${significant(pairedRatio(nanoseconds[id], nanoseconds[ours]))} ×` : '-';

  const verdict = ({ name, unavailable }: CipherContestant): string => {
    const fault = faults.find(({ contestant }) => contestant === name)?.fault;
    if (fault !== undefined) return `WRONG: ${fault}`;
    const reason = unavailable ?? missing.find(({ contestant }) => contestant === name)?.reason;
    return reason === undefined ? 'right' : `not available: ${reason}`;
  };
  const row = (contestant: CipherContestant): string[] => {
    const mark = contestant === field.auto ? ' *' : '';
    return [
      contestant.name + mark,
      contestant.version ?? '',
      shown(sealing(contestant)),
      shown(opening(contestant)),
      ratio(sealing(contestant), sealing(field.auto)),
      ratio(opening(contestant), opening(field.auto)),
      verdict(contestant),
    ];
  };

  const rounds = Math.max(0, ...Object.values(nanoseconds).map(({ length }) => length));
  const references = field.references
    .map(({ name }) => name)
    .filter((name) => !missing.some((m) => m.contestant === name));
  const paragraphs = [
    `* is the engine that the library picks here${about.relaxed ? ', with relaxed SIMD' : ''}` +
      `${about.reason === undefined ? '' : ` (${about.reason})`}. "Ours is": how many times faster it is than the row.`,
    `Right: seals to the same bytes as ${references.join(' and ')}, opens to the file, and refuses a changed byte in the ` +
      `ciphertext and in the tag. node:crypto has no XChaCha20: it gets the subkey from HChaCha20 of noble, untimed.`,
    `Measured: ${isSpeed ? 'MB/s (a MB is 10^6 bytes)' : 'time for the file'}, medians of ${rounds} rounds; in each ` +
      `round everyone seals and opens once, in shuffled order; ratios are medians of the ratios of each round. Ours and ` +
      `noble write to a given buffer; libsodium.js and node:crypto have no such way and allocate, node:crypto no more ` +
      `than 64 KiB at a time, with which it is fastest.`,
    `${hostLine()}.`,
  ];
  return [
    `XChaCha20-Poly1305, ${about.file}, ${size(about.bytes)}`,
    '',
    table(
      ['', 'version', `seal${unit}`, `open${unit}`, 'ours is: seal', 'open', 'result'],
      [...field.ours, ...field.peers].map(row),
      2,
      6,
    ),
    '',
    ...paragraphs.flatMap((text) => wrapped(text, ({ length }) => length <= LINE)),
    '',
  ].join('\n');
}
