/** From 1 lane to 16: what a wider vector saves. `page.md` has the text. */
import { SCALAR, SIMD } from '../lanes.ts';
import type { Given, Study, StudyData } from '../study.ts';

const LANES = [1, 4, 8, 16] as const;
const names: Readonly<Record<string, string>> = {
  ChaCha20: 'studies/widths/chacha20/encrypt',
  BLAKE3: 'studies/widths/blake3/hash',
  'Serpent-CTR': 'studies/widths/serpent-ctr/encrypt',
  simd: SIMD,
  scalar: SCALAR,
  lanes: 'lanewise native, * lanes',
};
const LENGTH = 65536;
/** After the name of a cipher: its curve if lanes cost nothing. */
const IDEAL = ', ideal';

function given(data: StudyData): Given {
  const cycles = (engine: string, cipher: string, lanes: number): number | undefined =>
    data.cycles(engine, `${names[cipher]}/${LENGTH}`, names['lanes'].replace('*', String(lanes)));
  /** A column for each width: measured, or that of one lane divided by the lanes. */
  const at = (lanes: number) => (engine: string, item: string) => {
    if (!item.endsWith(IDEAL)) return cycles(engine, item, lanes);
    const one = cycles(engine, item.slice(0, -IDEAL.length), 1);
    return one === undefined ? undefined : one / lanes;
  };
  return {
    names,
    columns: Object.fromEntries(LANES.map((lanes) => [`at ${lanes}`, at(lanes)])),
  };
}

export const study: Study = {
  id: 'widths',
  title: 'From 1 lane to 16: the same rounds in wider vectors',
  summary: 'cycles a byte of ChaCha20, BLAKE3 and Serpent in words, SSSE3, AVX2 and AVX-512, beside ideal scaling',
  order: 6,
  contests: ['ChaCha20', 'BLAKE3', 'Serpent-CTR'].map((cipher) => `${names[cipher]}/`),
  given,
};
