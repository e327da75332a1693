/** Every call that takes options, with what they are. */
import { blake3, hashMany, root, subtree, subtreeFrom, type Subtree } from '../../src/blake3.ts';
import { xchacha20poly1305 } from '../../src/chacha.ts';
import { adiantum, authenticatedPages, encryptedFile, hpolyc } from '../../src/disk.ts';
import { cbc, ecb } from '../../src/serpent.ts';
import { concat, sample } from './bytes.ts';
import { memoryFile } from './calls.ts';

export interface OptionsCall {
  /** What a user calls, as `calls` has it. */
  readonly title: string;
  /** What errors call the options. */
  readonly name: string;
  /** All that there are, each with a value that makes a difference. */
  readonly all: Readonly<Record<string, unknown>>;
  /** What the call cannot do without. */
  readonly required: Readonly<Record<string, unknown>>;
  /** Options of other calls that a user might give to this one, and what the error says about them. */
  readonly others: Readonly<Record<string, string>>;
  /** Makes the call, and shows what it did; what an error says is a result, too. */
  use(options: never): Uint8Array;
}

const key = sample(32, 31);
const message = sample(48, 32);
const page = sample(1024, 33);
const iv = sample(16, 34);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const hashing = { key, context: 'example.org 2026 options', dkLen: 16 };
const PART = 'give it to subtree()';
const LENGTH = 'give the length to root() or digest()';
const PAGES = 'give it to encryptPages() and decryptPages()';
const OF_PAGES = { pageSize: PAGES, first: PAGES, tweak: PAGES };
const FIRST = 'a file begins with page 0';
const NUMBERED = 'pages are bound to their numbers';
const TAGS = 'only files of authenticatedPages() have it';
const partOf = (offset: number): Subtree => {
  const { chainingValue, length } = subtree(page.subarray(0, 1024), { offset });
  return { chainingValue, offset, length };
};
const authenticated = authenticatedPages(xchacha20poly1305, key);
const sealed = authenticated.encryptPages(page.slice(), { pageSize: 512 });

/** Those of blake3 take one of two options that exclude each other: each option is tried alone. */
export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'blake3.blake3',
    name: 'options',
    all: hashing,
    required: {},
    others: { offset: PART },
    use: (options) => blake3(message, options),
  },
  {
    title: 'blake3.blake3.create',
    name: 'options',
    all: hashing,
    required: {},
    others: { offset: PART },
    use: (options) => blake3.create(options).update(message).digest(),
  },
  {
    title: 'blake3.hashMany',
    name: 'options',
    all: hashing,
    required: {},
    others: { offset: PART },
    use: (options) => concat(...hashMany([message, page], options)),
  },
  {
    title: 'blake3.subtree',
    name: 'options',
    all: { key, context: hashing.context, offset: 1024 },
    required: { offset: 0 },
    others: { dkLen: LENGTH },
    use: (options) => subtree(page, options).chainingValue,
  },
  {
    title: 'blake3.subtreeFrom',
    name: 'options',
    all: { key, context: hashing.context },
    required: {},
    others: { dkLen: LENGTH },
    use(options) {
      const left = subtreeFrom(partOf(0), options);
      // Parts of one mode only have a root.
      for (const mode of [{}, { key }, { context: hashing.context }])
        try {
          return root(left, subtreeFrom(partOf(1024), mode));
        } catch {
          continue;
        }
      throw new Error('of no known mode');
    },
  },
  {
    title: 'serpent.cbc',
    name: 'options',
    all: { disablePadding: true },
    required: {},
    others: {},
    use: (options) => cbc(key, iv, options).encrypt(message),
  },
  {
    title: 'serpent.cbc.encryptMany',
    name: 'options',
    all: { disablePadding: true },
    required: {},
    others: {},
    use: (options) => cbc.encryptMany(key, [iv], [message], options)[0],
  },
  {
    title: 'serpent.ecb',
    name: 'options',
    all: { disablePadding: true },
    required: {},
    others: {},
    use: (options) => ecb(key, options).encrypt(message),
  },
  ...[adiantum, hpolyc].map((cipher) => ({
    title: `disk.${cipher.name}`,
    name: 'options',
    all: { rounds: 20 },
    required: {},
    others: OF_PAGES,
    use: (options: never) => cipher(key, options).encrypt(page, iv),
  })),
  ...(['encryptPages', 'decryptPages'] as const).map((name) => ({
    title: `PageCipher.${name}`,
    name: 'options',
    all: { pageSize: 256, first: 7, tweak: 'offset64' },
    required: { pageSize: 512, tweak: 'index64' },
    others: { rounds: 'give it to adiantum() or hpolyc()' },
    use: (options: never) => adiantum(key)[name](page.slice(), options),
  })),
  {
    title: 'the tweak of encryptPages()',
    name: 'tweak',
    all: { fscrypt: sample(16, 35) },
    required: { fscrypt: iv },
    others: {},
    use: (options) => adiantum(key).encryptPages(page.slice(), { pageSize: 512, tweak: options }),
  },
  {
    title: 'AuthenticatedPages.encryptPages',
    name: 'options',
    all: { pageSize: 256, first: 7 },
    required: { pageSize: 512 },
    others: { tweak: NUMBERED },
    use(options) {
      const encrypted = authenticated.encryptPages(page.slice(), options);
      // Nonces are random: what the options were is shown by what decrypts.
      for (const pageSize of [256, 512])
        for (const first of [0, 7])
          try {
            authenticated.decryptPages(encrypted, { pageSize, first });
            return bytes(`${pageSize} ${first}`);
          } catch {
            continue;
          }
      throw new Error('of no known form');
    },
  },
  {
    title: 'AuthenticatedPages.decryptPages',
    name: 'options',
    all: { pageSize: 256, first: 7 },
    required: { pageSize: 512 },
    others: { tweak: NUMBERED },
    use(options) {
      try {
        return authenticated.decryptPages(sealed.slice(), options);
      } catch (error) {
        if ((error as Error).message !== 'invalid tag') throw error;
        return bytes('invalid tag');
      }
    },
  },
  {
    title: 'disk.encryptedFile',
    name: 'options',
    all: { pageSize: 512, tweak: 'offset64' },
    required: { tweak: 'index64' },
    others: { first: FIRST, create: TAGS, context: TAGS },
    use(options) {
      const file = memoryFile();
      encryptedFile(file, adiantum(key), options).write(page, 4096);
      return file.content();
    },
  },
  {
    title: 'encryptedFile with authenticatedPages',
    name: 'options',
    all: { create: false, pageSize: 512, context: iv },
    required: { create: true },
    others: { first: FIRST, tweak: NUMBERED },
    use(options) {
      const file = memoryFile();
      const made = encryptedFile(file, authenticated, options);
      try {
        made.write(page, 0);
        made.flush();
      } catch (error) {
        return bytes(String(error));
      }
      // It opens under its context only.
      for (const its of [{}, { context: iv }])
        try {
          encryptedFile(file, authenticated, its).read(new Uint8Array(1), 0);
          return bytes(`${file.content().length} ${Object.keys(its).join()}`);
        } catch {
          continue;
        }
      throw new Error('of no known context');
    },
  },
  {
    title: 'the tweak of encryptedFile()',
    name: 'tweak',
    all: { fscrypt: sample(16, 35) },
    required: { fscrypt: iv },
    others: {},
    use(options) {
      const file = memoryFile();
      encryptedFile(file, adiantum(key), { tweak: options }).write(page, 0);
      return file.content();
    },
  },
];
