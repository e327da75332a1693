/** `lanewise encrypt`: encrypts files as age does. */
import { Encrypter } from '@lanewise/age/files.js';
import { encrypt, encryptFile } from '../age/convert.ts';
import { checkRecipient, identitiesIn, recipientsIn, recipientsOf } from '../age/keys.ts';
import { ENCRYPT_HELP, readEncryptOptions, type EncryptOptions } from '../age/options.ts';
import { standardOutput, withFile, type Output } from '../output/output.ts';
import { newPassphrase, workFactorFrom } from '../age/passphrases.ts';
import { eachTarget, targetsOf } from '../age/targets.ts';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { openFileOf, piecesOf, STANDARD_INPUT } from '../hash/input.ts';
import { print } from '../terminal.ts';
import { Threads } from '../threads.ts';

export { ENCRYPT_HELP as HELP, encryptOptions as options } from '../age/options.ts';

const WHO = 'lanewise encrypt';
/** As far as the user's mask allows: ciphertext is not secret. */
const MODE = 0o666;

/** The encrypter for all inputs: each file has a header of its own. */
async function encrypterFor(options: EncryptOptions): Promise<Encrypter> {
  const encrypter = new Encrypter();
  if (options.passphrase) {
    const workFactor = workFactorFrom('AGE_PASSPHRASE_WORK_FACTOR');
    if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
    encrypter.setPassphrase(await newPassphrase());
    return encrypter;
  }
  for (const recipient of await recipientsFor(options)) encrypter.addRecipient(recipient);
  return encrypter;
}

async function recipientsFor(options: EncryptOptions): Promise<readonly string[]> {
  const recipients = options.recipients.map((recipient) => checkRecipient(recipient, '-r'));
  for (const file of options.recipientFiles) recipients.push(...(await recipientsIn(file)));
  for (const file of options.identityFiles) recipients.push(...(await recipientsOf(await identitiesIn(file))));
  return recipients;
}

export async function run(given: readonly Argument[]): Promise<number> {
  const options = readEncryptOptions(given);
  if (options === 'help') {
    await print(ENCRYPT_HELP);
    return 0;
  }
  if (options.remote) {
    const { sealObject } = await import('../cluster/seal.ts');
    const recipients = await recipientsFor(options);
    return await sealObject(WHO, options.remote, { kind: 'encrypt', recipients });
  }
  const { inputs, output, armor, forced } = options;
  if (output === undefined && !armor && !forced && process.stdout.isTTY)
    throw new UsageError(
      'refusing to write binary data to the terminal; -a makes text, -o FILE a file, and -o - forces it',
    );
  const keyFiles = [...options.identityFiles, ...options.recipientFiles];
  const targets = await targetsOf(inputs, output, (name) => `${name}.age`, keyFiles);
  const encrypter = await encrypterFor(options);
  const threads = new Threads(options.threads, 'writer', options.native);
  return eachTarget(WHO, targets, async (target, { descriptor, size, meter }) => {
    const pool = await threads.poolFor(size);
    // Standard input may begin in the midst of a file.
    const parallel = pool && size !== undefined && descriptor !== STANDARD_INPUT ? pool : undefined;
    const to = (file: Output): Promise<void> =>
      parallel
        ? encryptFile(openFileOf(descriptor), encrypter, file, armor, parallel, meter)
        : encrypt(threads.working(piecesOf(descriptor, meter), size), encrypter, file, armor, pool);
    if (target.output === undefined) await to(standardOutput);
    else await withFile(target.output, MODE, to);
  }).finally(() => threads.close());
}
