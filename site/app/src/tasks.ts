/** The three tasks: a person's input becomes work for a run. */
import { Decrypter, Encrypter } from '@lanewise/age';
import { decryptedName, encryptedName } from './chosen.ts';
import { chosenValue, input, textArea } from './elements.ts';
import { checksumLine, Expected } from './expected.ts';
import { Advice } from './explain.ts';
import type { FileList, Outcome } from './file-list.ts';
import { decryptFile, encryptFile, hashFile, type Open } from './jobs.ts';
import { storedKeys } from './key-store.ts';
import { identitiesIn, recipientsIn } from './keys.ts';
import { choosePlace } from './outputs/choose.ts';
import type { Place, Result, Unsaved } from './outputs/output.ts';
import { passkeyIdentity, passkeyRecipient } from './passkeys.ts';
import type { Work } from './run.ts';
import { countText } from './units.ts';

export type Task = 'encrypt' | 'decrypt' | 'hash';
type Method = 'passphrase' | 'keys' | 'passkey';

/** The keys of the key file that was chosen. They are not shown. */
let keyFile = '';
export const useKeyFile = (text: string): void => {
  keyFile = text;
};

function encrypterOf(method: Method): Encrypter {
  const encrypter = new Encrypter();
  if (method === 'passphrase') {
    const { value } = input('new-passphrase');
    if (value === '') throw new Advice('Enter a passphrase, or let one be made.', 'new-passphrase');
    if (value !== input('repeat-passphrase').value)
      throw new Advice('The two passphrases differ. Enter the same one twice.', 'repeat-passphrase');
    encrypter.setPassphrase(value);
  }
  if (method === 'keys') {
    const recipients = recipientsIn(textArea('recipients').value);
    for (const recipient of recipients) encrypter.addRecipient(recipient);
    if (new Set(recipients.map((one) => /^age1(pq|tagpq)1/.test(one))).size > 1)
      throw new Advice(
        'Post-quantum keys and others cannot be mixed: the file would be only as safe as the weaker ones. Encrypt it once for each kind.',
        'recipients',
      );
  }
  if (method === 'passkey') encrypter.addRecipient(passkeyRecipient(input('passkey-identity').value.trim()));
  return encrypter;
}

function decrypterOf(method: Method): Decrypter {
  const decrypter = new Decrypter();
  if (method === 'passphrase') {
    const { value } = input('passphrase');
    if (value === '') throw new Advice('Enter the passphrase.', 'passphrase');
    decrypter.addPassphrase(value);
  }
  if (method === 'keys') {
    const entered = identitiesIn(`${input('identities').value}\n${keyFile}`);
    const all = [...entered, ...storedKeys().map(({ identity }) => identity)];
    if (all.length === 0)
      throw new Advice('Enter your secret key (AGE-SECRET-KEY-1…), or choose the key file that has it.', 'identities');
    for (const identity of all) decrypter.addIdentity(identity);
  }
  if (method === 'passkey') decrypter.addIdentity(passkeyIdentity(input('passkey-identity').value.trim()));
  return decrypter;
}

/** Does a job with its output; files that were made for it are removed if the job fails before it begins to write. */
async function into(place: Place, path: string, job: (open: Open) => Promise<Result>): Promise<Result> {
  let isUsed = false;
  try {
    return await job((size) => {
      isUsed = true;
      return place.open(path, size);
    });
  } catch (error) {
    if (!isUsed) await place.unused?.();
    throw error;
  }
}

const outcomeOf = ({ note, unsaved }: Result): Outcome => ({ kind: 'done', note, ...(unsaved && { unsaved }) });

/** Results of a run that the person still has to save. */
export interface Products {
  readonly unsaved: Unsaved[];
  /** Lines of a checksum file. */
  readonly hashes: string[];
}

/** The work of the task that is chosen. Rejects with advice before anything is done, or with an AbortError. */
export async function workOf(task: Task, list: FileList, products: Products): Promise<Work> {
  if (list.files.length === 0) throw new Advice('Choose at least one file, or drop some on the page.', 'choose-files');
  if (task === 'hash') {
    const expected = new Expected(textArea('expected').value, list.files.length);
    return {
      doing: 'Hashing',
      did: 'hashed',
      method: 'hash',
      remark: () =>
        expected.unused > 0
          ? `${countText(expected.unused, 'expected file')} ${expected.unused === 1 ? 'was' : 'were'} not there.`
          : '',
      async one({ file, path }, job) {
        const hash = await hashFile(file, job);
        products.hashes.push(checksumLine(hash, path));
        const verdict = expected.verdict(path, hash);
        return {
          kind: verdict?.kind ?? 'done',
          note: '',
          hash,
          ...(verdict && { verdict: verdict.text }),
        };
      },
    };
  }
  const method = chosenValue(`${task}-method`) as Method;
  const keep = (result: Result): Outcome => {
    if (result.unsaved) products.unsaved.push(result.unsaved);
    return outcomeOf(result);
  };
  if (task === 'encrypt') {
    const encrypter = encrypterOf(method);
    const armor = input('armor').checked;
    const place = await choosePlace(
      list.files.map(({ path }) => encryptedName(path)),
      list.size * (armor ? 1.4 : 1.001),
    );
    return {
      doing: 'Encrypting',
      did: 'encrypted',
      method,
      mayLeaveParts: place.releasesEarly ?? false,
      one: async ({ file, path }, job) =>
        keep(await into(place, encryptedName(path), (open) => encryptFile(file, encrypter, armor, open, job))),
    };
  }
  const decrypter = decrypterOf(method);
  const place = await choosePlace(
    list.files.map(({ path }) => decryptedName(path)),
    list.size,
  );
  const { releasesEarly = false } = place;
  return {
    doing: 'Decrypting',
    did: 'decrypted',
    method,
    mayLeaveParts: releasesEarly,
    one: async ({ file, path }, job) =>
      keep(await into(place, decryptedName(path), (open) => decryptFile(file, decrypter, open, releasesEarly, job))),
  };
}
