/** The facts that a file reveals without a key. */
import { agePayload, type ByteSource } from 'lanewise/stream.js';
import { throwIfAborted, untilAborted } from './abort.ts';
import { optionsOf, present, refuseExtra, signalOf } from './checks.ts';
import { SALT_BYTES } from './header.ts';
import { sourceOf } from './pieces.ts';
import { headerOf, type Rest } from './read-header.ts';

/** {@link inspect} */
export interface Inspection {
  /** Whether the file is text. */
  readonly armored: boolean;
  /** The types of its recipients, in their order: `X25519`, `mlkem768x25519`, `scrypt` … */
  readonly recipients: readonly string[];
  /** Whether all recipients that are known here resist quantum computers; undefined if one is not known. */
  readonly postQuantum: boolean | undefined;
  /** Of a passphrase: log2 of its work factor. */
  readonly workFactor: number | undefined;
  /** Bytes of the header. */
  readonly headerSize: number;
  /** Bytes of the binary file. */
  readonly size: number;
  /** Bytes of the plaintext, if a file of this size can be complete. */
  readonly plaintextSize: number | undefined;
}

const POST_QUANTUM: Readonly<Record<string, boolean>> = {
  X25519: false,
  p256tag: false,
  mlkem768x25519: true,
  mlkem768p256tag: true,
  scrypt: true,
};

const quantum = (types: readonly string[]): boolean | undefined => {
  const known = types.map((type) => (Object.hasOwn(POST_QUANTUM, type) ? POST_QUANTUM[type] : undefined));
  if (known.includes(false)) return false;
  return known.includes(undefined) ? undefined : true;
};

/** The plaintext's size, from that of all chunks. */
function plaintextSizeOf(payload: number): number | undefined {
  try {
    return agePayload.plaintextSize(payload);
  } catch {
    return undefined;
  }
}

/** How many bytes there are until the end. */
async function lengthOf(rest: Rest, signal: AbortSignal | undefined): Promise<number> {
  let length = 0;
  try {
    for (;;) {
      const step = await untilAborted(signal, () => rest.next());
      if (step.done) return length;
      length += present(step.value, 'file').length;
    }
  } catch (error) {
    void rest.return(error);
    throw error;
  }
}

/**
 * Describes an age file without a key: its recipients and its length. All of it is read, and nothing of it is
 * authentic before it is decrypted.
 *
 * @param file - Bytes, or a source of them; binary or armored.
 * @param options - `signal`.
 * @returns A promise of the findings.
 * @throws By rejection: TypeError if an argument is not of that form, Error if it isn't an age file, the reason of the signal.
 * @example
 * ```ts
 * import { Encrypter, inspect } from '@lanewise/age';
 * const encrypter = new Encrypter();
 * encrypter.addRecipient('age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj');
 * console.log((await inspect(await encrypter.encrypt('hello'))).recipients); // [ 'X25519' ]
 * ```
 */
export function inspect(file: ByteSource, options?: { readonly signal?: AbortSignal }): Promise<Inspection>;
export async function inspect(
  file: ByteSource,
  options?: { readonly signal?: AbortSignal },
  ...extra: unknown[]
): Promise<Inspection> {
  refuseExtra(extra, 2);
  const signal = signalOf(optionsOf(options, ['signal']).signal);
  const source = sourceOf(file);
  throwIfAborted(signal);
  const { header: front, rest, armored } = await headerOf(source, signal);
  const payload = await lengthOf(rest, signal);
  const stanzas = new TextDecoder()
    .decode(front.header)
    .split('\n')
    .filter((line) => line.startsWith('-> '))
    .map((line) => line.slice(3).split(' '));
  const recipients = stanzas.map(([type]) => type);
  const [only] = stanzas;
  const isPassphrase = only?.[0] === 'scrypt' && /^[1-9][0-9]?$/.test(only[2] ?? '');
  return {
    armored,
    recipients,
    postQuantum: quantum(recipients),
    workFactor: isPassphrase ? Number(only[2]) : undefined,
    headerSize: front.length - SALT_BYTES,
    size: front.length + payload,
    plaintextSize: plaintextSizeOf(payload),
  };
}
