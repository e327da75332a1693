/** Calls that write a file beside its place, each as a program of its own and as a call of this process. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { newFile } from 'lanewise/stream-node.js';
import { agePayload, chunked, secretstream, type Streams } from 'lanewise/stream.js';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Decrypter, Encrypter } from '@lanewise/age';
import { collect } from './rows/age.ts';

type Target = ReturnType<typeof newFile>;

export const PLAINTEXT = Uint8Array.from({ length: 900_000 }, (_, i) => (i * 13) % 251);
export const KEY = new Uint8Array(32).fill(9);
export const IDENTITY = await generateX25519Identity();
export const RECIPIENT = await identityToRecipient(IDENTITY);

/** A call that decrypts a source to a place. */
export interface Whole {
  readonly title: string;
  readonly covers: readonly string[];
  readonly sealed: Uint8Array;
  readonly run: (
    source: AsyncIterable<Uint8Array> | Uint8Array,
    options: { to: Target; signal?: AbortSignal; maxLength?: number },
  ) => Promise<unknown>;
  /** The same as a program: its imports, and the call. Its source is standard input. */
  readonly program: readonly [imports: string, call: string];
}

const encrypter = new Encrypter();
encrypter.addRecipient(RECIPIENT);
const decrypter = new Decrypter();
decrypter.addIdentity(IDENTITY);

const wholeOf = async (name: string, its: (key: Uint8Array) => Streams): Promise<Whole> => ({
  title: `lanewise ${name}.decryptWhole`,
  covers: [
    `lanewise ${name}().decryptWhole`,
    'lanewise stream-node.newFile',
    'lanewise stream-node.newFile().createWritable',
  ],
  sealed: await collect(its(KEY).encrypt(PLAINTEXT)),
  run: (source, options) => its(KEY).decryptWhole(source, options),
  program: [
    `import { ${name} } from 'lanewise/stream.js';`,
    `${name}(new Uint8Array(32).fill(9)).decryptWhole(process.stdin, { to })`,
  ],
});

export const wholes: readonly Whole[] = [
  await wholeOf('chunked', chunked),
  await wholeOf('agePayload', agePayload),
  await wholeOf('secretstream', secretstream),
  {
    title: 'age Decrypter.decryptWhole',
    covers: ['age Decrypter.decryptWhole'],
    sealed: await encrypter.encrypt(PLAINTEXT),
    run: (source, options) => decrypter.decryptWhole(source, options),
    program: [
      `import { Decrypter } from '@lanewise/age'; const decrypter = new Decrypter(); decrypter.addIdentity('${IDENTITY}');`,
      'decrypter.decryptWhole(process.stdin, { to })',
    ],
  },
];

/** A folder of the test's own. */
export function temporary(): {
  path: string;
  names: () => string[];
  modeOf: (name: string) => number;
  remove: () => void;
} {
  const path = mkdtempSync(join(tmpdir(), 'lanewise-drafts-'));
  return {
    path,
    names: () => readdirSync(path).sort(),
    modeOf: (name) => statSync(join(path, name)).mode & 0o777,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
