/** `lanewise hash`: prints or checks BLAKE3 hashes of files, as b3sum does. */
import { blake3, type Blake3Options } from 'lanewise/blake3.js';
import { clean, equalBytes } from 'lanewise/utils.js';
import { Failure } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { frameOf, MalformedLine, parseCheckLine, type CheckLine } from '../hash/checkfile.ts';
import { eachLine, eachPiece, withInput } from '../hash/input.ts';
import { HELP, readOptions, type HashOptions } from '../hash/options.ts';
import { meterOn, type Meter } from '../progress.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { print, printable, printableOnTerminal, say } from '../terminal.ts';

const WHO = 'lanewise hash';
const KEY_BYTES = 32;
const CHECKED_BYTES = 32n;
/** Output is made and written in pieces of this size. */
const OUTPUT_PIECE = 65_536n;

type Hasher = ReturnType<typeof blake3.create>;

/** An input that cannot be hashed, for a reason that is not an error of the operating system. */
class Refusal extends Error {}

/** @returns why an input could not be read. Any other error is a bug of this program and is thrown. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (isSystemError(error)) return systemMessage(error);
  throw error;
}

/** Absorbs a file, or standard input for `-`. */
async function absorb(argument: Argument, mode: Blake3Options, meter: Meter): Promise<Hasher> {
  const { path, text } = argument;
  const hasher = blake3.create(mode);
  try {
    await withInput(path, async (input) => {
      meter.start(path === '-' ? 'standard input' : printable(text), input.size);
      await eachPiece(input, (piece) => {
        hasher.update(piece);
        meter.advance(piece.length);
      });
    });
    return hasher;
  } catch (error) {
    hasher.destroy();
    throw error;
  } finally {
    meter.stop();
  }
}

/** The requested bytes of the output, at least one. */
function* outputOf(hasher: Hasher, seek: bigint, length: bigint): Generator<Uint8Array> {
  try {
    for (let left = length; left > 0n;) {
      const size = left < OUTPUT_PIECE ? left : OUTPUT_PIECE;
      if (left === length) hasher.seek(seek);
      yield hasher.xof(Number(size));
      left -= size;
    }
  } finally {
    hasher.destroy();
  }
}

async function hashOne(argument: Argument, options: HashOptions, mode: Blake3Options, meter: Meter): Promise<void> {
  const { form, length, seek } = options;
  // The key came from standard input, of which nothing is left to hash.
  if (options.key === 'standard input' && argument.path === '-') throw new Refusal('Cannot open `-` in keyed mode');
  const hasher = await absorb(argument, mode, meter);
  const output = outputOf(hasher, seek, length);
  if (form === 'raw') {
    for (const piece of output) await print(piece);
    return;
  }
  const { before, after } =
    form === 'bare' ? { before: '', after: '\n' } : frameOf(argument.text, form === 'tagged', printableOnTerminal);
  // A line is written in one call where possible, so that lines of several processes do not mix.
  let text = before;
  for (const piece of output) {
    text += Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('hex');
    if (BigInt(piece.length) < OUTPUT_PIECE) continue;
    await print(text);
    text = '';
  }
  await print(text + after);
}

/** @returns the number of inputs that could not be hashed. */
async function hashAll(options: HashOptions, mode: Blake3Options, meter: Meter): Promise<number> {
  let failures = 0;
  for (const file of options.files) {
    try {
      await hashOne(file, options, mode, meter);
    } catch (error) {
      say(WHO, `${printable(file.text)}: ${reasonOf(error)}`);
      failures++;
    }
  }
  return failures;
}

/** @returns the reason why the file of a line fails, `''` for a mismatch; undefined if the file is right. */
async function faultOf(line: CheckLine, from: Argument, seek: bigint, meter: Meter): Promise<string | undefined> {
  try {
    if (line.path === '-' && from.path === '-') throw new Refusal('standard input is the checkfile');
    const hasher = await absorb({ text: line.path, path: line.path }, {}, meter);
    const [found] = outputOf(hasher, seek, CHECKED_BYTES);
    return equalBytes(found, line.hash) ? undefined : '';
  } catch (error) {
    return ` (${reasonOf(error)})`;
  }
}

/** @returns the number of lines whose check failed. */
async function checkLines(from: Argument, descriptor: number, options: HashOptions, meter: Meter): Promise<number> {
  let [failures, number] = [0, 0];
  for await (const bytes of eachLine(descriptor)) {
    number++;
    try {
      const line = parseCheckLine(bytes);
      const fault = await faultOf(line, from, options.seek, meter);
      if (fault !== undefined) failures++;
      if (options.check === 'silent' || (options.check === 'quiet' && fault === undefined)) continue;
      await print(`${printableOnTerminal(line.shown)}: ${fault === undefined ? 'OK' : `FAILED${fault}`}\n`);
    } catch (error) {
      if (!(error instanceof MalformedLine)) throw error;
      failures++;
      if (options.check !== 'silent') say(WHO, `${printable(from.text)}:${number}: ${error.message}`);
    }
  }
  return failures;
}

/** @returns the number of lines whose check failed, plus the number of checkfiles that could not be read. */
async function checkAll(options: HashOptions, meter: Meter): Promise<number> {
  let [failures, unread] = [0, 0];
  for (const file of options.files) {
    try {
      await withInput(file.path, async ({ descriptor }) => {
        failures += await checkLines(file, descriptor, options, meter);
      });
    } catch (error) {
      say(WHO, `${printable(file.text)}: ${reasonOf(error)}`);
      unread++;
    }
  }
  if (failures > 0 && options.check !== 'silent') {
    say(WHO, `WARNING: ${failures} computed checksum${failures === 1 ? '' : 's'} did NOT match`);
  }
  return failures + unread;
}

async function readKey(source: Exclude<HashOptions['key'], undefined>): Promise<Uint8Array> {
  const [path, name] = source === 'standard input' ? ['-', 'stdin'] : [source.file, printable(source.file)];
  // One byte more is read, to detect a key that is too long.
  const key = new Uint8Array(KEY_BYTES + 1);
  let length = 0;
  try {
    await withInput(path, (input) =>
      eachPiece(input, (piece) => {
        key.set(piece.subarray(0, key.length - length), length);
        length = Math.min(key.length, length + piece.length);
        clean(piece);
        if (length > KEY_BYTES) throw new Failure(`read more than ${KEY_BYTES} key bytes from ${name}`);
      }),
    );
    if (length < KEY_BYTES) throw new Failure(`expected ${KEY_BYTES} key bytes from ${name}, found ${length}`);
    return key.slice(0, KEY_BYTES);
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${name}: ${reasonOf(error)}`);
  } finally {
    clean(key);
  }
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readOptions(given);
  if (options === 'help') {
    await print(HELP);
    return 0;
  }
  const meter = meterOn(process.stderr);
  if (options.check) return (await checkAll(options, meter)) > 0 ? 1 : 0;
  const { key: source, context } = options;
  const key = source && (await readKey(source));
  try {
    const mode = key ? { key } : context === undefined ? {} : { context };
    return (await hashAll(options, mode, meter)) > 0 ? 1 : 0;
  } finally {
    if (key) clean(key);
  }
}
