/**
 * Every function, constructor and method that the library's doors give out, each with a call that is right: with all of its
 * arguments, on an object of its own. `calls.test.ts` finds by reflection that none is missing.
 */
import * as blake3 from '../../src/blake3.ts';
import * as chacha from '../../src/chacha.ts';
import * as disk from '../../src/disk.ts';
import * as engine from '../../src/engine.ts';
import * as nacl from '../../src/nacl.ts';
import * as poly1305 from '../../src/poly1305.ts';
import * as salsa from '../../src/salsa.ts';
import * as serpent from '../../src/serpent.ts';
import * as utils from '../../src/utils.ts';
import { sample } from './bytes.ts';

export interface Call {
  /** Calls with right arguments, all of them, and others behind them. */
  call(...extra: readonly unknown[]): unknown;
  /** How many arguments are the most. */
  readonly most: number;
  /** Whether one of them is options. */
  readonly takesOptions: boolean;
  /** Why arguments behind the last are not refused. */
  readonly passed?: string;
}

type Method = (...values: readonly unknown[]) => unknown;

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
/** Calls may write to their arguments. */
const fresh = (values: readonly unknown[]): unknown[] =>
  values.map((value) => (value instanceof Uint8Array ? value.slice() : value));
const fn = (it: unknown, ...values: readonly unknown[]): Call => ({
  call: (...extra) => (it as Method)(...fresh(values), ...extra),
  most: values.length,
  takesOptions: values.some(isPlain),
});
/** A method, each time of a new object. */
const of = (make: () => object, name: string, ...values: readonly unknown[]): Call => ({
  call: (...extra) => (make() as Record<string, Method>)[name](...fresh(values), ...extra),
  most: values.length,
  takesOptions: values.some(isPlain),
});
const methods = (type: string, make: () => object, all: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(all).map(([name, values]) => [`${type}.${name}`, of(make, name, ...values)]));

const key = sample(32, 1);
const message = sample(2048, 2);
const text = message.subarray(0, 48);
const nonces = { 8: sample(8, 3), 12: sample(12, 4), 16: sample(16, 5), 24: sample(24, 6) } as const;
const bytes = (length: number): Uint8Array => new Uint8Array(length);
const words = (length: number): Uint32Array => new Uint32Array(length);

const streamCiphers = Object.entries({ chacha, salsa }).flatMap(([door, module]) =>
  Object.entries(module)
    .filter(([, value]) => typeof value === 'function' && 'stream' in value)
    .flatMap(([name, value]) => {
      const cipher = value as chacha.StreamCipher;
      const nonce = nonces[cipher.nonceLength as 8 | 12 | 24];
      return [
        [`${door}.${name}`, fn(cipher, key, nonce, text, bytes(48), 0)],
        [`${door}.${name}.stream`, of(() => cipher, 'stream', key, nonce, 0)],
      ] as const;
    }),
);

const withoutNonce = utils.managedNonce(chacha.xchacha20poly1305);
const tools = {
  managedNonce: fn(utils.managedNonce, chacha.xchacha20poly1305, utils.randomBytes),
  // The cipher itself refuses, and it has a nonce besides.
  'managedNonce()': { ...fn(withoutNonce, key, text), most: 3 },
  randomBytes: fn(utils.randomBytes, 3),
};
const toolsOf = (door: string) => Object.entries(tools).map(([name, call]) => [`${door}.${name}`, call] as const);

const part = (offset: number) => blake3.subtree(message.subarray(offset, offset + 1024), { offset });
const sealed = chacha.xchacha20poly1305(key, nonces[24]).encrypt(text);
const boxed = salsa.secretbox(key, nonces[24]).seal(text);
const page = sample(512, 7);

/** A file in memory, as workers have them. */
export function memoryFile(start: Uint8Array = bytes(0)) {
  let content = start.slice();
  const resize = (size: number): void => {
    const next = new Uint8Array(size);
    next.set(content.subarray(0, size));
    content = next;
  };
  return {
    content: (): Uint8Array => content,
    read(into: Uint8Array, { at }: { at: number }): number {
      const from = content.subarray(at, at + into.length);
      into.set(from);
      return from.length;
    },
    write(from: Uint8Array, { at }: { at: number }): number {
      if (at + from.length > content.length) resize(at + from.length);
      content.set(from, at);
      return from.length;
    },
    truncate: resize,
    flush(): void {},
    getSize: (): number => content.length,
  };
}

const fileOptions = { tweak: 'offset64', pageSize: 512 } as const;
const encryptedFile = () => disk.encryptedFile(memoryFile(bytes(1024)), disk.adiantum(key), fileOptions);
const authenticated = () => disk.authenticatedPages(chacha.xchacha20poly1305, key);
/** A page, and that page encrypted as number 7. */
const pageMethods = (which: unknown, encrypted: Uint8Array, options: object) => ({
  encrypt: [page, which, bytes(512)],
  decrypt: [encrypted, which, bytes(512)],
  encryptPages: [page, options],
  decryptPages: [encrypted, options],
  destroy: [],
});

const usedAsCallback = 'functions of one value are given to map() and filter(), which add an index and a list';

/** By `door.name`, `door.name.property` or `Type.method`. */
export const calls: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(streamCiphers),
  ...methods('CipherStream', () => chacha.chacha20.stream(key, nonces[12]), {
    update: [text, bytes(48)],
    seek: [1],
    destroy: [],
  }),

  'chacha.chacha20poly1305': fn(chacha.chacha20poly1305, key, nonces[12], text),
  'chacha.xchacha20poly1305': fn(chacha.xchacha20poly1305, key, nonces[24], text),
  'chacha.hchacha': fn(chacha.hchacha, words(4), words(8), words(4), words(8)),
  'serpent.ocb': fn(serpent.ocb, key, nonces[12], text),
  ...methods('Aead', () => chacha.xchacha20poly1305(key, nonces[24]), {
    encrypt: [text, bytes(64)],
    encryptDetached: [text, bytes(48)],
    decrypt: [sealed, bytes(48)],
    decryptDetached: [sealed.subarray(0, 48), sealed.subarray(48), bytes(48)],
    destroy: [],
  }),

  'salsa.secretbox': fn(salsa.secretbox, key, nonces[24]),
  'salsa.xsalsa20poly1305': fn(salsa.xsalsa20poly1305, key, nonces[24]),
  'salsa.secretbox_xchacha20poly1305': fn(salsa.secretbox_xchacha20poly1305, key, nonces[24]),
  'salsa.hsalsa': fn(salsa.hsalsa, words(4), words(8), words(4), words(8)),
  ...methods('Secretbox', () => salsa.secretbox(key, nonces[24]), {
    seal: [text, bytes(64)],
    open: [boxed, bytes(48)],
    encrypt: [text, bytes(64)],
    decrypt: [boxed, bytes(48)],
    destroy: [],
  }),

  ...Object.fromEntries(['chacha', 'salsa', 'serpent', 'utils'].flatMap(toolsOf)),
  ...methods('managedNonce()()', () => withoutNonce(key, text), {
    encrypt: [text, bytes(88)],
    decrypt: [withoutNonce(key, text).encrypt(text), bytes(48)],
  }),

  'nacl.secretbox': fn(nacl.secretbox, text, nonces[24], key),
  'nacl.secretbox.open': of(() => nacl.secretbox, 'open', boxed, nonces[24], key),
  'nacl.randomBytes': fn(nacl.randomBytes, 3),
  'nacl.verify': fn(nacl.verify, key, key),

  'poly1305.poly1305': fn(poly1305.poly1305, text, key),
  'poly1305.poly1305.create': of(() => poly1305.poly1305, 'create', key),
  ...methods('Poly1305', () => poly1305.poly1305.create(key), {
    update: [text],
    digest: [],
    digestInto: [bytes(16)],
    destroy: [],
  }),

  'blake3.blake3': fn(blake3.blake3, text, { dkLen: 3 }),
  'blake3.blake3.create': of(() => blake3.blake3, 'create', { dkLen: 3 }),
  'blake3.blake3.load': of(() => blake3.blake3, 'load', blake3.blake3.create().save()),
  'blake3.hashMany': fn(blake3.hashMany, [text], { dkLen: 3 }),
  'blake3.maxSubtreeLength': fn(blake3.maxSubtreeLength, 1024),
  'blake3.subtree': fn(blake3.subtree, text, { offset: 0 }),
  'blake3.subtreeFrom': fn(blake3.subtreeFrom, part(1024), { key }),
  'blake3.merge': fn(blake3.merge, part(0), part(1024)),
  'blake3.root': fn(blake3.root, part(0), part(1024), 64),
  'blake3.rootXof': fn(blake3.rootXof, part(0), part(1024)),
  'blake3.TreeBuilder': {
    call: (...extra) => new (blake3.TreeBuilder as unknown as new (...values: unknown[]) => unknown)(...extra),
    most: 0,
    takesOptions: false,
  },
  ...methods('TreeBuilder', () => new blake3.TreeBuilder().add(part(0)), { add: [part(1024)] }),
  ...methods('TreeBuilder', () => new blake3.TreeBuilder().add(part(0)).add(part(1024)), { digest: [64] }),
  ...methods('Blake3', () => blake3.blake3.create(), {
    update: [text],
    digest: [],
    digestInto: [bytes(32)],
    peek: [3],
    xof: [3],
    xofInto: [bytes(3)],
    seek: [3],
    clone: [],
    save: [],
    reset: [],
    destroy: [],
  }),

  'serpent.ctr': fn(serpent.ctr, key, nonces[16]),
  'serpent.ctrLittleEndian': fn(serpent.ctrLittleEndian, key, nonces[16]),
  'serpent.cbc': fn(serpent.cbc, key, nonces[16], { disablePadding: true }),
  'serpent.cbc.encryptMany': of(() => serpent.cbc, 'encryptMany', key, [nonces[16]], [text], { disablePadding: true }),
  'serpent.ecb': fn(serpent.ecb, key, { disablePadding: true }),
  ...methods('Ctr', () => serpent.ctr(key, nonces[16]), {
    encrypt: [text, bytes(48)],
    decrypt: [text, bytes(48)],
    destroy: [],
  }),
  ...methods('BlockMode', () => serpent.ecb(key, { disablePadding: true }), {
    encrypt: [text, bytes(48)],
    decrypt: [text, bytes(48)],
    destroy: [],
  }),

  'disk.adiantum': fn(disk.adiantum, key, { rounds: 8 }),
  'disk.hpolyc': fn(disk.hpolyc, key, { rounds: 8 }),
  'disk.authenticatedPages': fn(disk.authenticatedPages, chacha.xchacha20poly1305, key),
  'disk.encryptedFile': fn(disk.encryptedFile, memoryFile(), disk.adiantum(key), fileOptions),
  ...methods(
    'PageCipher',
    () => disk.adiantum(key),
    pageMethods(nonces[8], page, { pageSize: 512, first: 7, tweak: 'index64' }),
  ),
  ...methods(
    'AuthenticatedPages',
    authenticated,
    pageMethods(7, authenticated().encrypt(page, 7), { pageSize: 512, first: 7 }),
  ),
  ...methods('encryptedFile()', encryptedFile, {
    read: [bytes(3), 0],
    write: [bytes(3), 0],
    truncate: [512],
    flush: [],
    size: [],
  }),

  'engine.describe': fn(engine.describe),
  'engine.select': fn(engine.select, 'auto'),

  'utils.equalBytes': fn(utils.equalBytes, key, key),
  'utils.clean': { ...fn(utils.clean, bytes(3)), passed: 'it takes any number of arguments' },
  'utils.bytesToHex': { ...fn(utils.bytesToHex, key), passed: usedAsCallback },
  'utils.hexToBytes': { ...fn(utils.hexToBytes, 'cafe'), passed: usedAsCallback },
  'utils.isBytes': { ...fn(utils.isBytes, key), passed: usedAsCallback },
};
