/** `lanewise decrypt`: decrypts files of age. */
import { Decrypter, readHeader, type HeaderReader } from '@lanewise/age/files.js';
import { fstatSync, read as readAt } from 'node:fs';
import { promisify } from 'node:util';
import { decrypt, decryptPart, typedPieces } from '../age/convert.ts';
import { identitiesIn } from '../age/keys.ts';
import { DECRYPT_HELP, readDecryptOptions, type DecryptOptions } from '../age/options.ts';
import { standardOutput, withFile, type Output } from '../output/output.ts';
import { passphraseOf, workFactorFrom } from '../age/passphrases.ts';
import { eachTarget, targetsOf, type Opened } from '../age/targets.ts';
import { Failure } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { piecesOf } from '../hash/input.ts';
import { print, say } from '../terminal.ts';
import { Threads } from '../threads.ts';

export { DECRYPT_HELP as HELP, decryptOptions as options } from '../age/options.ts';

const WHO = 'lanewise decrypt';
/** As far as the user's mask allows, as age has it. */
const MODE = 0o666;
const END = '-----END AGE ENCRYPTED FILE-----';

/** Without `.age`, which an encrypted file need not have. */
const plainName = (name: string): string => (name.endsWith('.age') ? name.slice(0, -4) : `${name}.plain`);

/** An output that says nothing. */
const nowhere: Output = { write: () => Promise.resolve() };

/** Whether text has control characters besides white space, or bytes that aren't UTF-8. */
const isBinary = (text: string): boolean => /[\p{Cc}\ufffd]/u.test(text.replaceAll(/\s/g, ''));

/** Text goes to the terminal; bytes that may be commands for it don't. */
function onTerminal(output: Output): Output {
  let begun = false;
  return {
    write(bytes) {
      if (!begun && isBinary(new TextDecoder().decode(bytes.subarray(0, 1024), { stream: true })))
        throw new Failure('refusing to write binary data to the terminal; -o FILE makes a file, and -o - forces it');
      begun = true;
      return output.write(bytes);
    },
  };
}

/** Whether the one recipient is a passphrase. */
const isForPassphrase = (header: HeaderReader): boolean =>
  /^-> scrypt( |$)/m.test(new TextDecoder().decode(header.header));

/** Finds identities and passphrases for files; asks once. */
class Keys {
  readonly #files: readonly string[];
  readonly #identities: readonly string[];
  readonly #mostWork = workFactorFrom('AGE_PASSPHRASE_MAX_WORK_FACTOR');
  #passphrase: string | undefined;

  constructor(files: readonly string[], identities: readonly string[]) {
    this.#files = files;
    this.#identities = identities;
  }

  decrypterFor(header: HeaderReader): Decrypter {
    const decrypter = new Decrypter();
    if (isForPassphrase(header)) {
      if (this.#files.length) throw new Error('the file is passphrase-encrypted but identities were specified');
      if (this.#mostWork !== undefined) decrypter.setMaxScryptWorkFactor(this.#mostWork);
      decrypter.addPassphrase((this.#passphrase ??= passphraseOf('')));
    } else if (!this.#files.length) {
      throw new Error('the file is not passphrase-encrypted, identities are required: -i');
    }
    for (const identity of this.#identities) decrypter.addIdentity(identity);
    return decrypter;
  }
}

/** Waits for all of an armored file that is typed at the terminal: its end comes before the question for the passphrase. */
async function* typed(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let all = Buffer.of();
  for await (const piece of pieces) {
    all = Buffer.concat([all, piece]);
    if (all.includes(END)) break;
  }
  yield all;
}

/** A file that can be read at any place. */
function sourceOf(descriptor: number) {
  const { size } = fstatSync(descriptor);
  const read = promisify(readAt) as (...values: unknown[]) => Promise<{ bytesRead: number }>;
  return {
    size,
    async read(from: number, to: number): Promise<Uint8Array> {
      const bytes = new Uint8Array(to - from);
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await read(descriptor, bytes, done, bytes.length - done, from + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    },
  };
}

/** The words of age for the error that users meet most. */
function explained(error: unknown): unknown {
  return error instanceof Error && error.message === 'wrong passphrase'
    ? new Error('incorrect passphrase', { cause: error })
    : error;
}

async function convert(
  { descriptor, size, meter }: Opened,
  options: DecryptOptions,
  keys: Keys,
  threads: Threads,
  output: Output,
): Promise<void> {
  const isTyped = descriptor === 0 && process.stdin.isTTY;
  const pieces = isTyped ? typed(typedPieces(descriptor)) : threads.working(piecesOf(descriptor, meter), size);
  const front = await readHeader(pieces);
  try {
    const decrypter = keys.decrypterFor(front.header);
    if (options.part === undefined) {
      await decrypt(front, decrypter, output, isTyped ? undefined : await threads.poolFor(size));
      return;
    }
    if (size === undefined || front.armored)
      throw new Failure('--offset and --length need a binary file: pipes and armor have no random access');
    await decryptPart(decrypter, sourceOf(descriptor), options.part, output);
  } catch (error) {
    throw explained(error);
  } finally {
    await front.rest.return(undefined);
    await pieces.return(undefined);
  }
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readDecryptOptions(given);
  if (options === 'help') {
    await print(DECRYPT_HELP);
    return 0;
  }
  const { inputs, output, check, forced, identityFiles } = options;
  const identities: string[] = [];
  if (options.remote) {
    for (const file of identityFiles) identities.push(...(await identitiesIn(file)));
    const { sealObject } = await import('../cluster/seal.ts');
    return await sealObject(WHO, options.remote, { kind: 'decrypt', identities });
  }
  const targets = await targetsOf(inputs, output, plainName, identityFiles);
  for (const file of identityFiles) identities.push(...(await identitiesIn(file)));
  const keys = new Keys(identityFiles, identities);
  const toScreen = process.stdout.isTTY && !forced ? onTerminal(standardOutput) : standardOutput;
  const threads = new Threads(options.threads, 'reader and writer', options.native);
  return eachTarget(WHO, targets, async (target, opened) => {
    if (check) {
      await convert(opened, options, keys, threads, nowhere);
      say(WHO, `${target.name}: authentic and complete`);
    } else if (target.output === undefined) await convert(opened, options, keys, threads, toScreen);
    else await withFile(target.output, MODE, (file) => convert(opened, options, keys, threads, file));
  }).finally(() => threads.close());
}
