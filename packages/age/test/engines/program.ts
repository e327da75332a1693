/** The package in an engine that knows nothing of tests: each way that files take, once. Ends with an error if one is wrong. */
import {
  armor,
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateIdentity,
  identityToRecipient,
  inspect,
} from '../../src/index.ts';

/** Made by age 1.3.1: `age -a -r age1xmww…`, of the identity of age's own tests. */
const FILE = [
  '-----BEGIN AGE ENCRYPTED FILE-----',
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBmNEJsaWRwK0xqSGlLd3g2',
  'YTlWaURFVE1uZTh4NjNVZGJNM0JoZGtaVDA0CmhMTnFuNGMwQXc0QjBaTjEreDk5',
  'QmNXRXp5QnR4RDVNZG40eTZzMkhCaVEKLS0tIERZSVpiUDN5ODhnaWJ0YmpaWTVv',
  'NFY1VThYWmJDa01CS1dtcjgvNUJwTTgKubyfo3V7coijvA/slVS8O+AYCMoMQwRu',
  '7x2bc3b4EszT4rgxysy2EFGRqcMkyQJr0Z8GyJrBVQ==',
  '-----END AGE ENCRYPTED FILE-----',
].join('\n');
const IDENTITY = 'AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0';
const TEXT = 'file made by age 1.3.1\n';

function check(what: string, right: boolean): void {
  if (!right) throw new Error(`${what} is wrong`);
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

async function roundTrip(what: string, encrypter: Encrypter, decrypter: Decrypter): Promise<void> {
  const plaintext = Uint8Array.from({ length: 150_001 }, (_, i) => (i * 31) % 256);
  const stream = await encrypter.encrypt(new Blob([plaintext]));
  const file = new Uint8Array(await new Response(stream).arrayBuffer());
  const opened = await decrypter.decrypt(new Blob([file]));
  check(`${what} as streams`, equal(new Uint8Array(await new Response(opened).arrayBuffer()), plaintext));
  check(`${what} in memory`, equal(await decrypter.decrypt(file), plaintext));
  const reader = await decrypter.reader(new Blob([file]));
  check(`${what} at an offset`, equal(await reader.read(65_000, 66_000), plaintext.subarray(65_000, 66_000)));
  const text = await encrypter.encrypt(plaintext, { armor: true });
  check(`${what} armored`, equal(await decrypter.decrypt(text), plaintext));
  const found = await inspect(file);
  check(`${what} inspected`, found.plaintextSize === plaintext.length);
  file[file.length - 1] ^= 1;
  const refused = await decrypter.decrypt(file).then(
    () => false,
    () => true,
  );
  check(`${what} that was changed`, refused);
}

export async function program(): Promise<string> {
  const known = new Decrypter();
  known.addIdentity(IDENTITY);
  check('the file of age', (await known.decrypt(armor.decode(FILE), 'text')) === TEXT);
  for (const generate of [generateIdentity, generateHybridIdentity]) {
    const identity = await generate();
    const encrypter = new Encrypter();
    encrypter.addRecipient(await identityToRecipient(identity));
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    await roundTrip(generate.name, encrypter, decrypter);
  }
  const encrypter = new Encrypter();
  encrypter.setPassphrase('password');
  encrypter.setScryptWorkFactor(10);
  const decrypter = new Decrypter();
  decrypter.addPassphrase('password');
  await roundTrip('a passphrase', encrypter, decrypter);
  return 'all is right';
}
