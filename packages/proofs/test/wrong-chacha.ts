/**
 * Wrong modules of ChaCha, in place of those that the library makes: `open` rejects all tags, so its results are wrong,
 * and an encrypted message cannot be decrypted.
 */
import type * as chacha from '../../lanewise/src/chacha/module.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { patched } from '../src/mutations/patch.ts';
import { decode } from '../src/wasm/decode.ts';
import { exported } from '../src/wasm/types.ts';

const I32_CONST_0_AND = '\x41\x00\x71';
/** The verdict has no bits left. */
function withoutVerdict(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { code } = exported(decode(bytes), 'open');
  return patched(bytes, code[code.length - 1].at, 0, I32_CONST_0_AND);
}

export const withWrongChacha = ({ chachaModule, ...others }: typeof chacha): object => ({
  ...others,
  chachaModule: (form: Parameters<typeof chachaModule>[0]) => ({
    bytes: () => withoutVerdict(chachaModule(form).bytes()),
  }),
});

/** The texts of their bytes, which the library has. */
export const withWrongTexts = (texts: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      Buffer.from(withoutVerdict(Uint8Array.from(Buffer.from(text, 'hex')))).toString('hex'),
    ]),
  );

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
