/** Calls of `lanewise/box.js`, by `door.name` or `Type.method`. */
import * as box from '../../../src/box.ts';
import { chunked } from '../../../src/stream.ts';
import { fn, key, Later, methods, text, type Call } from '../../support/call.ts';

/** A keyring of one random key. Only that the call accepts it matters. */
const SEALED =
  '{"version":1,"kdf":{"algorithm":"argon2id","salt":"dqBwAey7zaKriaUcB8tiJw","t":1,"m":8,"p":1},"keys":"' +
  'xpHSBAIv0P0X-jhcYndqB37XPLrufS0S_wyJpNHVZXNEpC2ykm6bxLoisnjKGaO-SOJyUWBs8i9cMXUvwqmBkEl-Hm7N5UGMkLy9SS1DQSPSbuc83TCR0Zf2Ac4ZoUs4' +
  'zLCku61jW51h2aR2o3lRI4U"}';

const make = () => box.createBox(key, { chunked });
const sealed = new Later(() => make().seal(text, { for: 'a' }));
const sealedText = new Later(() => make().sealText('text', { for: 'a' }));
const saved = new Later(() => box.createKeyring().save());

export const calls: Readonly<Record<string, Call>> = {
  'box.createBox': { ...fn(box.createBox, key, { chunked }), takesOptions: true },
  'box.createKeyring': fn(box.createKeyring),
  'box.loadKeyring': fn(box.loadKeyring, saved),
  // Their options show an effect only in a promise: box/box.test.ts tests them.
  'box.sealKeyring': {
    ...fn(box.sealKeyring, new Later(() => box.createKeyring()), 'passphrase', { t: 1, m: 8, p: 1 }),
    takesOptions: false,
  },
  'box.openKeyring': {
    ...fn(box.openKeyring, SEALED, 'passphrase', { maxmem: 65536 }),
    takesOptions: false,
  },
  ...methods('Box', make, {
    seal: [text, { for: 'a' }],
    open: [sealed, { for: 'a' }],
    sealText: ['text', { for: 'a' }],
    openText: [sealedText, { for: 'a' }],
    needsResealing: [sealed],
    reseal: [sealed, { for: 'a' }],
    destroy: [],
  }),
  // Their options show an effect only in a promise and in what streams give: box/box.test.ts tests them.
  'Box.reader': { ...methods('Box', make, { reader: [sealed, { for: 'a' }] })['Box.reader'], takesOptions: false },
  'Box.stream': {
    call: (...extra) =>
      typeof (make().stream as (...values: unknown[]) => unknown).call(make(), { for: 'a' }, ...extra),
    most: 1,
    takesOptions: false,
  },
  ...methods('Keyring', () => box.createKeyring(), { rotate: [], save: [], destroy: [] }),
  'Keyring.remove': {
    call: (...extra) => {
      const ring = box.createKeyring();
      const id = ring.primary;
      ring.rotate();
      return (ring.remove as (...values: unknown[]) => unknown).call(ring, id, ...extra);
    },
    most: 1,
    takesOptions: false,
  },
};
