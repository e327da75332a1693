/** Native code as contestants: the official crate of BLAKE3, C libraries, a Go module. */
import { blake3 as digestOf } from '@noble/hashes/blake3.js';
import { equals } from '../bytes.ts';
import { findCipher, levels, Native, noNative, type Level, type NativeCipher } from '../../native.ts';
import type { NativeContestant } from '../package-types.ts';

export const nativeName = ({ name }: Level): string => `native ${name}`;

const wrong = (right: boolean): string | undefined => (right ? undefined : 'gives wrong bytes');

const blake3 = (level: Level): NativeContestant => ({
  name: nativeName(level),
  library: 'native',
  standing: 'native',
  version: `the official crate at ${level.name}`,
  unavailable: noNative(level),
  start({ data }) {
    const program = new Native(level, data);
    return {
      time: (count) => program.time(count),
      fault: (expected) => wrong(equals(program.digest, expected)),
      end: () => program.end(),
    };
  },
});

/** The official crate of BLAKE3, at each level of vectors that it can be restricted to. */
export const nativeBlake3: readonly NativeContestant[] = levels.map(blake3);

const NOTHING = new Uint8Array();

function cipher(library: NativeCipher['library'], operation: NativeCipher['operation']): NativeContestant {
  // Pages of Adiantum and HPolyC take their number as the tweak, and no nonce.
  const hasNonce = library !== 'adiantum' || operation.startsWith('aes-xts');
  const found = findCipher({ library, operation });
  return {
    name: library === 'adiantum' ? 'Go, native' : `native ${library}`,
    library: 'native',
    standing: 'native',
    version: 'version' in found ? found.version : undefined,
    unavailable: 'missing' in found ? found.missing : undefined,
    start({ key, nonce, data }) {
      const program = new Native({ cipher: { library, operation }, key, nonce: hasNonce ? nonce : NOTHING }, data);
      return {
        time: (count) => program.time(count),
        // The output stays in the other process; only its digest is sent.
        fault: (expected) => wrong(equals(program.digest, digestOf(expected))),
        end: () => program.end(),
      };
    },
  };
}

/** Ciphers of C libraries, if the machine has them; for pages, a Go module. */
export const nativeCiphers = (
  operation: NativeCipher['operation'],
  libraries: readonly NativeCipher['library'][],
): readonly NativeContestant[] => libraries.map((library) => cipher(library, operation));
