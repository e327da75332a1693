/**
 * The name of a processor. Virtual machines often call theirs "AMD EPYC" or "Intel Xeon Processor", whichever
 * generation it is; the family and the model tell them apart.
 */
import type { Host } from './schema.ts';

export type Processor = NonNullable<Host['processor']>;

/** The first processor in Linux's /proc/cpuinfo; undefined if it is not of the x86 family. */
export function processorIn(cpuinfo: string): Processor | undefined {
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}\\s*:\\s*(.+)$`, 'm').exec(cpuinfo)?.[1]?.trim();
  const vendor = field('vendor_id');
  const [family, model, stepping] = ['cpu family', 'model', 'stepping'].map((name) => Number(field(name)));
  return vendor !== undefined && [family, model, stepping].every(Number.isInteger)
    ? { vendor, family, model, stepping }
    : undefined;
}

type Models = readonly (readonly [from: number, to: number, name: string])[];

type Range = readonly [from: number, to: number];
const each = (name: string, ...models: readonly (number | Range)[]): Models =>
  models.map((model) => (typeof model === 'number' ? [model, model, name] : [...model, name]));

/** Microarchitectures by vendor, family and model. */
const KNOWN: Readonly<Record<string, Models>> = {
  // Linux, arch/x86/kernel/cpu/amd.c, bsp_init_amd: "Figure out Zen generations".
  'AuthenticAMD 23': [
    ...each('Zen', [0x00, 0x2f], [0x50, 0x5f]),
    ...each('Zen 2', [0x30, 0x4f], [0x60, 0x7f], [0x90, 0x91], [0xa0, 0xaf]),
  ],
  'AuthenticAMD 25': [...each('Zen 3', [0x00, 0x0f], [0x20, 0x5f]), ...each('Zen 4', [0x10, 0x1f], [0x60, 0xaf])],
  'AuthenticAMD 26': [
    ...each('Zen 5', [0x00, 0x2f], [0x40, 0x4f], [0x60, 0x7f]),
    ...each('Zen 6', [0x50, 0x5f], [0x80, 0xaf], [0xc0, 0xcf]),
  ],
  // Linux, arch/x86/include/asm/intel-family.h; of hybrid processors, the core for performance.
  'GenuineIntel 6': [
    ...each('Haswell', 0x3c, 0x3f, 0x45, 0x46),
    ...each('Broadwell', 0x3d, 0x47, 0x4f, 0x56),
    ...each('Skylake', 0x4e, 0x5e, 0x55),
    ...each('Kaby Lake', 0x8e, 0x9e),
    ...each('Comet Lake', 0xa5, 0xa6),
    ...each('Sunny Cove', 0x6a, 0x6c, 0x7d, 0x7e),
    ...each('Willow Cove', 0x8c, 0x8d),
    ...each('Cypress Cove', 0xa7),
    ...each('Golden Cove', 0x8f, 0x97, 0x9a),
    ...each('Raptor Cove', 0xb7, 0xba, 0xbf, 0xcf, 0xd7),
    ...each('Redwood Cove', 0xaa, 0xac, 0xad, 0xae),
    ...each('Lion Cove', 0xb5, 0xbd, 0xc5, 0xc6),
  ],
};

const microarchitecture = ({ vendor, family, model }: Processor): string | undefined =>
  KNOWN[`${vendor} ${family}`]?.find(([from, to]) => from <= model && model <= to)?.[2];

/** For example `AMD EPYC, Zen 5 (family 26, model 2, stepping 1)`; the operating system's name if nothing else is known. */
export function processorName({ cpu, processor }: Pick<Host, 'cpu' | 'processor'>): string {
  if (!processor) return cpu;
  const { family, model, stepping } = processor;
  const name = microarchitecture(processor);
  return `${cpu}${name === undefined ? '' : `, ${name}`} (family ${family}, model ${model}, stepping ${stepping})`;
}
