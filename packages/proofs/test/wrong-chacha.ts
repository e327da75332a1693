/**
 * Wrong modules of ChaCha, in place of those that the library makes: `open` rejects all tags, so its results are wrong,
 * and an encrypted message cannot be decrypted.
 */
import type * as chacha from '../../lanewise/src/chacha/module.ts';
import * as texts from '../../lanewise/src/chacha/generated-bytes.ts';
import type * as bytes from '../../lanewise/src/engine/bytes.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { patched } from '../src/mutations/patch.ts';
import { decode } from '../src/wasm/decode.ts';
import { exported } from '../src/wasm/types.ts';

const chachaTexts: ReadonlySet<string> = new Set(Object.values(texts));
const I32_CONST_0_AND = '\x41\x00\x71';
/** The verdict has no bits left. */
function withoutVerdict(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { code } = exported(decode(bytes), 'open');
  return patched(bytes, code[code.length - 1].at, 0, I32_CONST_0_AND);
}

export const withWrongChacha = ({ chachaModule, ...others }: typeof chacha): object => ({
  ...others,
  chachaModule: (form: Parameters<typeof chachaModule>[0]) => {
    const module = chachaModule(form);
    const wrong = withoutVerdict(module.bytes());
    // `open` is the last function.
    const codes = [...module.codes.slice(0, -1), module.codes[module.codes.length - 1] + I32_CONST_0_AND];
    return Object.assign(module, { bytes: () => wrong, codes });
  },
});

/** The same of the texts that the library has. */
export const withWrongTexts = ({ unpacked, ...others }: typeof bytes): object => ({
  ...others,
  unpacked: (text: string) => (chachaTexts.has(text) ? withoutVerdict(unpacked(text).slice()) : unpacked(text)),
});

/** A stand-in for the package, whose modules are correct. */
export const asMade = { publishedBytes: (_: string, made: Uint8Array): Uint8Array => made };

/** The message of a claim that fails. */
export async function failureOf(claim: Claim): Promise<string | undefined> {
  try {
    await claim.prove();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
