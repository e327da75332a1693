// How the modules of Poly1305 use public numbers.
import { COMMON, PADDING, type Numbers, type Permission } from '../../public-numbers/lists.ts';

export const BIT_128: Permission = {
  reason: 'Bit 128 of a block: 1, or 0 where a block that is cut short has its bit in memory. RFC 8439 §2.5.1',
  uses: ['mix i64.add', 'operate f64.convert_i32_s', 'multiply f64.mul', 'mix f64.add'],
  of: [],
};

export const poly1305Numbers: Numbers = {
  parameters: { start: '', absorb: 'blocks', finish: 'length', mac: 'length' },
  permitted: [...COMMON, PADDING, BIT_128],
  thresholds: [],
  limits: { periods: { length: 4 }, renamed: {} },
};
