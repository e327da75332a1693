/** `lanewise hash`: prints or checks BLAKE3 hashes of files, as b3sum does. */
import { clean, equalBytes } from 'lanewise/utils.js';
import type { ObjectChecks } from '../cluster/check.ts';
import { isObjectUrl, objectHint } from '../cluster/queue.ts';
import { Failure } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { frameOf, MalformedLine, parseCheckLine, type CheckLine } from '../hash/checkfile.ts';
import { eachLine, piecesOf, withInput } from '../hash/input.ts';
import { Inputs, OUTPUT_PIECE } from '../hash/inputs.ts';
import { Lines } from '../hash/lines.ts';
import { HELP, readOptions, type HashOptions } from '../hash/options.ts';
import { meterOn, type Meter } from '../progress.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { print, printable, printableOnTerminal, say } from '../terminal.ts';
import { Threads } from '../threads.ts';

export { HELP, options } from '../hash/options.ts';

const WHO = 'lanewise hash';
const KEY_BYTES = 32;
const CHECKED_BYTES = 32n;

/** An input that cannot be hashed, for a reason that is not an error of the operating system. */
class Refusal extends Error {}

/** @returns why an input could not be read. Any other error is a bug of this program and is thrown. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (isSystemError(error)) return systemMessage(error);
  throw error;
}

/** A mistyped name of an object gets a message that says so, and not only that there is no file of that name. */
const hintFor = ({ text }: Argument, error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' ? objectHint(text) : '';

/** The output and the options of a run. */
interface Run {
  readonly options: HashOptions;
  readonly lines: Lines;
  readonly inputs: Inputs;
  readonly threads: Threads;
  readonly meter: Meter;
  /** Checks objects, once one is named. */
  objects?: Promise<ObjectChecks>;
}

/** So many objects are under way while lines are read. */
const OBJECTS_TOGETHER = 16;

async function hashOne(
  argument: Argument,
  amongMany: boolean,
  { options, inputs, threads, meter }: Run,
): Promise<Iterable<Uint8Array>> {
  if (options.outboard) {
    const { hashWithOutboard } = await import('../bao/outboard.ts');
    return [await hashWithOutboard(argument, options.outboard, threads, meter)];
  }
  // The key came from standard input, so nothing is left there to hash.
  if (options.key === 'standard input' && argument.path === '-') throw new Refusal('Cannot open `-` in keyed mode');
  return await inputs.hash(argument, amongMany);
}

async function show({ text: name }: Argument, output: Iterable<Uint8Array>, { options, lines }: Run): Promise<void> {
  const { form } = options;
  if (form === 'raw') {
    for (const piece of output) await print(piece);
    return;
  }
  const { before, after } =
    form === 'bare' ? { before: '', after: '\n' } : frameOf(name, form === 'tagged', printableOnTerminal);
  // A line is written in one call where possible, so that lines of several processes do not mix.
  let text = before;
  for (const piece of output) {
    text += Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('hex');
    if (BigInt(piece.length) < OUTPUT_PIECE) continue;
    await lines.flush();
    await print(text);
    text = '';
  }
  await lines.add(text + after);
}

/** A message after the lines that came before it. */
async function complain({ lines }: Run, message: string): Promise<void> {
  await lines.flush();
  say(WHO, message);
}

/** @returns the number of inputs that could not be hashed. */
async function hashAll(run: Run): Promise<number> {
  let failures = 0;
  const { inputs, options } = run;
  for (const { file, output } of inputs.hashAll(options.files, (...values) => hashOne(...values, run))) {
    try {
      await show(file, await output, run);
    } catch (error) {
      await complain(run, `${printable(file.text)}: ${reasonOf(error)}${hintFor(file, error)}`);
      failures++;
    }
  }
  return failures;
}

/** @returns the reason why the file of a line fails, `''` for a mismatch; undefined if the file is right. */
async function faultOf(line: CheckLine, from: Argument, { inputs }: Run): Promise<string | undefined> {
  try {
    if (line.path === '-' && from.path === '-') throw new Refusal('standard input is the checkfile');
    const [found] = await inputs.hash({ text: line.path, path: line.path });
    return equalBytes(found, line.hash) ? undefined : '';
  } catch (error) {
    return ` (${reasonOf(error)})`;
  }
}

/** The same of a line that names an object. */
async function faultOfObject({ path, hash }: CheckLine, run: Run): Promise<string | undefined> {
  const { queueOf } = run.options;
  const queue = queueOf();
  if (!queue) return ' (an object: --queue URL or LANEWISE_QUEUE names the queue whose workers check it)';
  run.objects ??= import('../cluster/check.ts').then(({ ObjectChecks }) => new ObjectChecks(WHO, queue));
  const fault = await (await run.objects).faultOf(path, hash);
  return fault ? ` (${fault})` : fault;
}

/** A line whose check is under way, or waits for its turn. */
interface Checking {
  readonly shown: string;
  readonly isObject: boolean;
  readonly fault: () => Promise<string | undefined>;
}

function checking(line: CheckLine, from: Argument, run: Run): Checking {
  // A file of such a name would be below a folder that is named like a scheme: ./s3:/…
  const isObject = isObjectUrl(line.path);
  if (!isObject) return { shown: line.shown, isObject, fault: () => faultOf(line, from, run) };
  const begun = faultOfObject(line, run);
  // It is waited for in its turn.
  begun.catch(() => undefined);
  return { shown: line.shown, isObject, fault: () => begun };
}

/** @returns the number of lines whose check failed. */
async function checkLines(from: Argument, descriptor: number, run: Run): Promise<number> {
  const { check } = run.options;
  let [failures, number] = [0, 0];
  const waiting: Checking[] = [];
  const tell = async ({ shown, fault: ended }: Checking): Promise<void> => {
    const fault = await ended();
    if (fault !== undefined) failures++;
    if (check === 'silent' || (check === 'quiet' && fault === undefined)) return;
    await (await run.objects)?.quiet();
    await run.lines.add(`${printableOnTerminal(shown)}: ${fault === undefined ? 'OK' : `FAILED${fault}`}\n`);
  };
  const tellAll = async (): Promise<void> => {
    for (let next; (next = waiting.shift());) await tell(next);
  };
  for await (const bytes of eachLine(descriptor)) {
    number++;
    try {
      waiting.push(checking(parseCheckLine(bytes), from, run));
      // Lines are told in their order; files wait for no other line than objects before them.
      while (waiting.length >= OBJECTS_TOGETHER || (waiting.length > 0 && !waiting[0].isObject))
        await tell(waiting.shift()!);
    } catch (error) {
      if (!(error instanceof MalformedLine)) throw error;
      await tellAll();
      failures++;
      if (check !== 'silent') await complain(run, `${printable(from.text)}:${number}: ${error.message}`);
    }
  }
  await tellAll();
  return failures;
}

/** @returns the number of lines whose check failed, plus the number of checkfiles that could not be read. */
async function checkAll(run: Run): Promise<number> {
  const { files, check } = run.options;
  let [failures, unread] = [0, 0];
  for (const file of files) {
    try {
      await withInput(file.path, async ({ descriptor }) => {
        failures += await checkLines(file, descriptor, run);
      });
    } catch (error) {
      await complain(run, `${printable(file.text)}: ${reasonOf(error)}`);
      unread++;
    }
  }
  if (failures > 0 && check !== 'silent')
    await complain(run, `WARNING: ${failures} computed checksum${failures === 1 ? '' : 's'} did NOT match`);
  return failures + unread;
}

async function readKey(source: Exclude<HashOptions['key'], undefined>): Promise<Uint8Array> {
  const [path, name] = source === 'standard input' ? ['-', 'stdin'] : [source.file, printable(source.file)];
  // One byte more is read, to detect a key that is too long.
  const key = new Uint8Array(KEY_BYTES + 1);
  let length = 0;
  try {
    await withInput(path, async ({ descriptor }) => {
      for await (const piece of piecesOf(descriptor)) {
        key.set(piece.subarray(0, key.length - length), length);
        length = Math.min(key.length, length + piece.length);
        if (length > KEY_BYTES) throw new Failure(`read more than ${KEY_BYTES} key bytes from ${name}`);
      }
    });
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
  if (options.remote) return await (await import('../cluster/hash.ts')).hashObjects(options, options.remote);
  const { key: source, context, check, seek, length } = options;
  const key = source && (await readKey(source));
  const mode = key ? { key } : context === undefined ? {} : { context };
  const range = { seek, length: check ? CHECKED_BYTES : length };
  const lines = new Lines();
  const threads = new Threads(options.threads, 'worker', options.native);
  const meter = meterOn(process.stderr);
  const inputs = new Inputs(mode, range, threads, meter, () => lines.flush());
  const run: Run = { options, lines, inputs, threads, meter };
  try {
    const failures = await (check ? checkAll : hashAll)(run);
    await lines.flush();
    return failures > 0 ? 1 : 0;
  } finally {
    await (await run.objects)?.close();
    if (key) clean(key);
    await threads.close();
  }
}
