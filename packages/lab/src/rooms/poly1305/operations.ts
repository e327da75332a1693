/** Poly1305 of RFC 8439 §2.5. The one-time key is used repeatedly, which is allowed in a measurement only. */
import { unhex } from '../../client/bytes.ts';
import type { MacContestant } from '../../client/contestants/contestant.ts';
import { library, ours } from '../../client/entrants.ts';
import { synchronous, workBy, type Operation } from '../../client/operation.ts';

const mac = (contestant: MacContestant) => synchronous(contestant, (key) => contestant.poly1305(key));
const noble = async (): Promise<MacContestant> => (await import('../../client/contestants/noble.ts')).nobleCiphers;

export const poly1305: Operation = {
  id: 'poly1305/mac',
  primitive: 'Poly1305',
  operation: 'mac',
  work: workBy(async () => (await noble()).poly1305),
  entrants: [
    ours(async () => (await import('../../client/contestants/lanewise.ts')).auto.poly1305),
    library('noble', async () => mac(await noble())),
    library('libsodium.js', async () => mac((await import('../../client/contestants/libsodium.ts')).libsodium)),
    library('stablelib', async () => mac((await import('../../client/contestants/stablelib.ts')).stablelib)),
    library('tweetnacl', async () => mac((await import('../../client/contestants/tweetnacl.ts')).tweetnacl)),
  ],
  // RFC 8439 §2.5.2.
  knownAnswer: {
    key: unhex('85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b'),
    nonce: new Uint8Array(),
    data: unhex('43727970746f6772617068696320466f72756d2052657365617263682047726f7570'),
    expected: unhex('a8061dc1305136c6c22b8baf0c0127a9'),
  },
};

export const operations: readonly Operation[] = [poly1305];
