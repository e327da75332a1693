/** How an encrypted file is opened, by the public part of its header. */
import { readHeader } from '@lanewise/age';

export type Opening = 'passphrase' | 'keys' | 'passkey';

/** Undefined if it isn't an age file. */
export async function openingOf(file: Blob): Promise<Opening | undefined> {
  let text: string;
  try {
    const { header, rest } = await readHeader(file);
    text = new TextDecoder().decode(header.header);
    await rest.return(undefined);
  } catch {
    return undefined;
  }
  const types = text.split('\n').flatMap((line) => (line.startsWith('-> ') ? [line.slice(3).split(' ')[0]] : []));
  if (types.includes('scrypt')) return 'passphrase';
  return types.length > 0 && types.every((type) => type === 'age-encryption.org/fido2prf') ? 'passkey' : 'keys';
}
