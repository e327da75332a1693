/** The calls that take a key first, or an object that was made with one, and their arguments: for `wrong-calls.test.ts`. */
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { encryptVFS } from '@lanewise/sqlite';
import { encryptedFileSystem } from '@lanewise/sqlite/files.js';
import { checkDatabase, copyDatabase, openDatabase } from '@lanewise/sqlite/node.js';
import { encryptedPGlite } from '@lanewise/sqlite/pglite.js';
import { installEncryptedVFS } from '@lanewise/sqlite/official.js';
import { configureSingle, fs, InMemory } from '@zenfs/core';
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
import { createBox, createKeyring, loadKeyring, openKeyring, sealKeyring } from 'lanewise/box.js';
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { adiantum, authenticatedPages, encryptedFile } from 'lanewise/disk.js';
import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
import { agePayload, chunked, secretstream } from 'lanewise/stream.js';
import { memoryFile } from '../../lanewise/test/support/memory-file.ts';

export type Any = (...values: unknown[]) => unknown;
type Methods = Readonly<Record<string, Any>>;
/** What an option takes: wrong values follow from it. */
export type Kind = 'bytes' | 'integer' | 'signal' | 'function' | 'pool' | 'boolean' | 'place' | 'text' | 'mode' | 'key';
type Options = Readonly<Record<string, Kind>>;

/** Tells that something of the caller's is used, which no wrong call does. */
export type Used = () => void;

export interface Argument {
  /** A right value. */
  readonly value: (used: Used) => unknown;
  /** Its only length, if it is of bytes and has one. */
  readonly length?: number;
  /** The options in it. */
  readonly options?: Options;
  /** Kinds of values that are right, too, by their names in `wrong-calls.test.ts`. */
  readonly also?: readonly string[];
}

export interface Call {
  readonly title: string;
  readonly call: Any;
  readonly of: readonly Argument[];
}

const bytes = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, i) => i + 1);
const key: Argument = { value: () => bytes(32), length: 32 };
const optional = (options: Options, value: object = {}): Argument => ({
  value: () => ({ ...value }),
  options,
  also: ['undefined', 'an object'],
});
const required = (options: Options, value: () => object): Argument => ({ value, options });

async function* watched(used: Used, given: Uint8Array): AsyncGenerator<Uint8Array> {
  used();
  await Promise.resolve();
  yield given;
}
/** A source of bytes: an array has pieces, and this one has none. */
const streamed = (given: Uint8Array): Argument => ({
  value: (used) => watched(used, given),
  also: ['bytes', 'an array'],
});
const anyPlace = (given: Uint8Array): Argument => ({
  value: (used) => ({
    size: given.length,
    read(from: number, to: number) {
      used();
      return given.slice(from, to);
    },
  }),
  also: ['bytes'],
});

const STREAM: Options = { signal: 'signal', onProgress: 'function', size: 'integer' };
const PARALLEL: Options = { ...STREAM, pool: 'pool' };
const MESSAGES: Options = { ...STREAM, messageLength: 'integer' };
const WHOLE: Options = { maxLength: 'integer', to: 'place' };

interface Format {
  readonly name: string;
  readonly make: (...values: unknown[]) => Methods;
  readonly own?: Options;
  readonly stream: Options;
  readonly sealer: readonly Argument[];
  readonly opener: readonly Argument[];
  /** Whether any part of a stream can be read. */
  readonly hasReader: boolean;
}

const isHeader = (length: number): Argument =>
  required({ header: 'bytes' }, () => ({ header: new Uint8Array(length) }));
const formats: readonly Format[] = [
  {
    name: 'chunked',
    make: chunked as unknown as Format['make'],
    own: { context: 'bytes' },
    stream: PARALLEL,
    sealer: [],
    opener: [isHeader(56)],
    hasReader: true,
  },
  {
    name: 'agePayload',
    make: agePayload as unknown as Format['make'],
    stream: PARALLEL,
    sealer: [optional({ index: 'integer', last: 'boolean' })],
    opener: [optional({ index: 'integer', last: 'boolean' })],
    hasReader: true,
  },
  {
    name: 'secretstream',
    make: secretstream as unknown as Format['make'],
    stream: MESSAGES,
    sealer: [],
    opener: [isHeader(24)],
    hasReader: false,
  },
];

async function ofFormat({ name, make, own, stream, sealer, opener, hasReader }: Format): Promise<Call[]> {
  const made = (): Methods => make(bytes(32));
  const response = new Response(made()['encrypt'](bytes(10)) as ReadableStream<Uint8Array<ArrayBuffer>>);
  const sealed = new Uint8Array(await response.arrayBuffer());
  const method = (called: string, ...of: readonly Argument[]): Call => ({
    title: `${name}().${called}`,
    call: (...values) => made()[called](...values),
    of,
  });
  const piped = (title: string, call: unknown): Call => ({
    title: `${title} of ${name}`,
    call: call as Any,
    of: [{ value: made }, optional(stream)],
  });
  return [
    { title: name, call: make, of: own ? [key, optional(own)] : [key] },
    method('encrypt', streamed(bytes(10)), optional(stream)),
    method('decrypt', streamed(sealed), optional(stream)),
    method('decryptWhole', streamed(sealed), optional({ ...stream, ...WHOLE })),
    method('encryptor', optional(stream)),
    method('decryptor', optional(stream)),
    ...(hasReader ? [method('reader', anyPlace(sealed), optional({ offset: 'integer', signal: 'signal' }))] : []),
    method('sealer', ...sealer),
    // A header of zeros is refused when it is looked at.
    ...(name === 'chunked' ? [] : [method('opener', ...opener)]),
    method('destroy'),
    piped('createEncryptor', createEncryptor),
    piped('createDecryptor', createDecryptor),
  ];
}

/** A file whose uses are told. */
const handle: Argument = {
  value: (used) =>
    Object.fromEntries(
      Object.entries(memoryFile()).map(([name, its]) => [
        name,
        (...values: unknown[]) => {
          used();
          return (its as Any)(...values);
        },
      ]),
    ),
};

const ring = createKeyring();
const CHEAP = { t: 1, m: 8, p: 1 };
const file = await sealKeyring(ring, 'words', CHEAP);
const PLACE: Options = { for: 'text' };
const boxed = (called: string, first: Argument, options?: Options): Call => ({
  title: `Box.${called}`,
  call: (...values) => (createBox(bytes(32)) as unknown as Methods)[called](...values),
  of: options ? [first, optional(options)] : [first],
});
/** Bytes that are no sealed message are an error of the message. */
const sealed: Argument = { value: () => createBox(bytes(32)).seal('hello'), also: ['bytes'] };
const SLICES: Options = { signal: 'signal', onProgress: 'function' };
const text: Argument = { value: () => 'words' };
const sqlite3 = await sqlite3InitModule();
let installed = 0;
/** What is right opens no file: this folder isn't there. */
const nowhere = (): object => ({ key: bytes(32), file: '/none/such/notes.db' });

/** Encrypted files in memory: a place of ZenFS. */
await configureSingle({ backend: InMemory });
let folders = 0;
const place = (): object => ({ fs, folder: `/vault${folders++}` });
const FILES = required({ key: 'key', pageSize: 'integer' }, () => ({ key: bytes(32) }));

export const calls: readonly Call[] = [
  ...(await Promise.all(formats.map(ofFormat))).flat(),
  {
    title: 'encryptedFile of authenticatedPages',
    call: encryptedFile as unknown as Any,
    of: [
      handle,
      { value: () => authenticatedPages(xchacha20poly1305, bytes(32)) },
      optional({ create: 'boolean', pageSize: 'integer', context: 'bytes' }),
    ],
  },
  {
    title: 'encryptedFile of adiantum',
    call: encryptedFile as unknown as Any,
    of: [
      handle,
      { value: () => adiantum(bytes(32)) },
      required({ pageSize: 'integer', pool: 'pool', tweak: 'mode' }, () => ({ tweak: 'index64' })),
    ],
  },
  { title: 'createBox', call: createBox as Any, of: [key, optional({ chunked: 'function' })] },
  boxed('seal', { value: () => bytes(5), also: ['bytes', 'a text'] }, PLACE),
  boxed('open', sealed, PLACE),
  boxed('sealText', { value: () => 'hello', also: ['a text'] }, { ...PLACE, json: 'boolean' }),
  boxed('openText', { value: () => createBox(bytes(32)).sealText('hello') }, { ...PLACE, json: 'boolean' }),
  boxed('reseal', sealed, PLACE),
  {
    title: 'Box.reader',
    call: (...values) => (createBox(bytes(32), { chunked }) as unknown as Methods).reader(...values),
    of: [
      anyPlace(createBox(bytes(32)).seal('hello')),
      optional({ ...PLACE, offset: 'integer', signal: 'signal', pool: 'pool' }),
    ],
  },
  boxed('needsResealing', sealed),
  { title: 'loadKeyring', call: loadKeyring as Any, of: [{ value: () => ring.save() }] },
  {
    title: 'sealKeyring',
    call: sealKeyring as Any,
    of: [
      { value: () => ring },
      { ...text, also: ['a text'] },
      optional({ ...SLICES, t: 'integer', m: 'integer', p: 'integer' }, CHEAP),
    ],
  },
  {
    title: 'openKeyring',
    call: openKeyring as Any,
    of: [
      { value: () => file },
      { ...text, also: ['a text'] },
      optional({ ...SLICES, maxmem: 'integer', maxwork: 'integer' }),
    ],
  },
  {
    title: 'sqlite encryptVFS',
    call: encryptVFS as unknown as Any,
    of: [
      { value: () => MemoryVFS },
      required({ key: 'key', mode: 'mode', pageSize: 'integer' }, () => ({ key: bytes(32) })),
    ],
  },
  {
    title: 'sqlite openDatabase',
    call: (...values) => (openDatabase as unknown as Any)(...values),
    of: [required({ key: 'key', mode: 'mode', pageSize: 'integer', file: 'text' }, nowhere)],
  },
  {
    title: 'sqlite checkDatabase',
    call: (...values) => (checkDatabase as unknown as Any)(...values),
    of: [required({ key: 'key', mode: 'mode', file: 'text' }, nowhere)],
  },
  {
    title: 'sqlite copyDatabase',
    call: (...values) => (copyDatabase as unknown as Any)(...values),
    of: [required({ from: 'place', to: 'place' }, () => ({ from: nowhere(), to: nowhere() }))],
  },
  {
    title: 'sqlite copyDatabase from',
    call: (from, ...more) => (copyDatabase as unknown as Any)({ from, to: nowhere() }, ...more),
    of: [required({ key: 'key', mode: 'mode', file: 'text' }, nowhere)],
  },
  {
    title: 'sqlite copyDatabase to',
    call: (to, ...more) => (copyDatabase as unknown as Any)({ from: nowhere(), to }, ...more),
    of: [required({ key: 'key', mode: 'mode', pageSize: 'integer', file: 'text' }, nowhere)],
  },
  {
    title: 'sqlite installEncryptedVFS',
    call: installEncryptedVFS as unknown as Any,
    of: [
      { value: () => sqlite3 },
      required({ key: 'key', mode: 'mode', pageSize: 'integer', name: 'text', base: 'text' }, () => ({
        key: bytes(32),
        name: `encrypted-${installed++}`,
      })),
    ],
  },
  {
    title: 'sqlite encryptedFileSystem',
    call: (...values) => (encryptedFileSystem as unknown as Any)(...values),
    of: [required({ fs: 'place', folder: 'text' }, place), FILES],
  },
  {
    title: 'sqlite encryptedPGlite',
    call: (...values) => (encryptedPGlite as unknown as Any)(...values),
    of: [required({ fs: 'place', folder: 'text' }, place), FILES],
  },
];
