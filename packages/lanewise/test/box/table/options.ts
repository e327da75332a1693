/** Calls of `lanewise/box.js` that take options at once. Sealing is random, so what opens its result is compared. */
import { createBox } from '../../../src/box.ts';
import { chunked } from '../../../src/stream.ts';
import { bytes, key, message, type OptionsCall } from '../../support/options-call.ts';

const PLACES = [undefined, 'a'] as const;
const make = () => createBox(key, { chunked });

/** The result of a call as bytes, or its error. */
function outcome(call: () => unknown): Uint8Array {
  try {
    const value = call();
    return value instanceof Uint8Array ? value : bytes(JSON.stringify(value));
  } catch (error) {
    const text = String(error);
    if (!/^(Error: (cannot open|the box|the sealed)|TypeError: "value")/.test(text)) throw error;
    return bytes(text);
  }
}
/** Where a sealed message opens. */
const places = (open: (place: string | undefined) => unknown): Uint8Array =>
  bytes(PLACES.map((place) => String(outcome(() => open(place)))).join());

const place = { name: 'options', all: { for: 'a' }, required: {}, others: {} };
const text = { ...place, all: { for: 'a', json: true } };

export const optionsCalls: readonly OptionsCall[] = [
  {
    title: 'box.createBox',
    name: 'options',
    all: { chunked },
    required: {},
    others: { for: 'seal() and open() take it' },
    use(options) {
      const box = createBox(key, options);
      return outcome(() => typeof box.stream());
    },
  },
  {
    ...place,
    title: 'Box.seal',
    use(options) {
      const sealed = make().seal(message, options);
      return places((at) => make().open(sealed, { for: at }));
    },
  },
  { ...place, title: 'Box.open', use: (options) => outcome(() => make().open(make().seal(message), options)) },
  {
    ...text,
    title: 'Box.sealText',
    use(options) {
      const sealed = make().sealText('{}', options);
      return places((at) => make().openText(sealed, { for: at }));
    },
  },
  { ...text, title: 'Box.openText', use: (options) => outcome(() => make().openText(make().sealText('[1]'), options)) },
  {
    ...place,
    title: 'Box.reseal',
    use: (options) => outcome(() => make().reseal(make().seal(message), options).length),
  },
];
