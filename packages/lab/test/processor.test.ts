import { describe, expect, test } from 'vitest';
import { processorIn, processorName } from '../src/results/processor.ts';

const cpuinfo = `processor	: 0
vendor_id	: AuthenticAMD
cpu family	: 26
model		: 2
model name	: AMD EPYC
stepping	: 1

processor	: 1
vendor_id	: AuthenticAMD
cpu family	: 99
`;

describe('a processor', () => {
  test('is read from /proc/cpuinfo', () => {
    expect(processorIn(cpuinfo)).toEqual({ vendor: 'AuthenticAMD', family: 26, model: 2, stepping: 1 });
    expect(processorIn('CPU implementer	: 0x41\nCPU part	: 0xd0c\n')).toBeUndefined();
    expect(processorIn(cpuinfo.replace('stepping	: 1', 'stepping	: unknown'))).toBeUndefined();
    expect(processorIn('')).toBeUndefined();
  });

  // Models of public lists: EPYC 9355 and 9654, Ryzen 5950X, EPYC 7742, Xeon 8480, Core i9-14900K.
  test.each([
    ['AuthenticAMD', 26, 0x02, 'Zen 5'],
    ['AuthenticAMD', 25, 0x11, 'Zen 4'],
    ['AuthenticAMD', 25, 0x21, 'Zen 3'],
    ['AuthenticAMD', 23, 0x31, 'Zen 2'],
    ['GenuineIntel', 6, 0x8f, 'Golden Cove'],
    ['GenuineIntel', 6, 0xb7, 'Raptor Cove'],
  ])('%s, family %d, model %d is %s', (vendor, family, model, name) => {
    const processor = { vendor, family, model, stepping: 1 };
    expect(processorName({ cpu: 'CPU', processor })).toBe(
      `CPU, ${name} (family ${family}, model ${model}, stepping 1)`,
    );
  });

  test('that is not known has its numbers, or its name only', () => {
    const processor = { vendor: 'GenuineIntel', family: 26, model: 2, stepping: 0 };
    expect(processorName({ cpu: 'CPU', processor })).toBe('CPU (family 26, model 2, stepping 0)');
    expect(processorName({ cpu: 'Apple M4' })).toBe('Apple M4');
  });
});
