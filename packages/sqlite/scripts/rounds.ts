/** Rounds of a benchmark: variants in random order, and the ratios of their times. It runs in Node and in workers of browsers. */

/** Milliseconds of each step, of each round, of each variant. */
export type Samples = Readonly<Record<string, readonly (readonly number[])[]>>;

/** Runs so many rounds, and one before them, which is cold. */
export async function rounds<Variant extends { readonly name: string }>(
  variants: readonly Variant[],
  count: number,
  once: (variant: Variant) => Promise<number[]>,
): Promise<Samples> {
  const samples = Object.fromEntries(variants.map(({ name }) => [name, [] as number[][]]));
  for (let round = -1; round < count; round++)
    for (const variant of variants.toSorted(() => Math.random() - 0.5)) {
      const times = await once(variant);
      if (round >= 0) samples[variant.name].push(times);
    }
  return samples;
}

const quantile = (samples: readonly number[], at: number): number =>
  samples.toSorted((a, b) => a - b)[Math.round((samples.length - 1) * at)];
const sum = (samples: readonly number[]): number => samples.reduce((a, b) => a + b);

/** The ratios of the rounds of two variants: median and quartiles. */
function ratio(samples: Samples, variant: string, base: string): string {
  const ratios = samples[variant].map((times, round) => sum(times) / sum(samples[base][round]));
  const [median, low, high] = [0.5, 0.25, 0.75].map((at) => quantile(ratios, at).toFixed(2));
  return `÷ ${base} ${median} (${low} to ${high})`;
}

/** Lines for a reader: each variant divided by the bases. With names of steps, the median of each step, too. */
export function report(samples: Samples, bases: readonly string[], steps: readonly string[] = []): string[] {
  const names = Object.keys(samples);
  const lines = names.map((name) => {
    const time = quantile(samples[name].map(sum), 0.5);
    const ratios = bases.filter((base) => base in samples).map((base) => ratio(samples, name, base));
    return `${name.padEnd(20)} ${time.toFixed(0).padStart(5)} ms  ${ratios.join('  ')}`;
  });
  const ofSteps = steps.map((step, i) => {
    const medians = names.map((name) => quantile(samples[name].map((times) => times[i]), 0.5)); // prettier-ignore
    return [step.padEnd(62), ...medians.map((time) => time.toFixed(1).padStart(7))].join(' ');
  });
  return [...lines, ...ofSteps];
}
