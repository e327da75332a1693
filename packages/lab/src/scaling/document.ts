/** A document about scaling: its figures and its picture follow from costs that are kept beside it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { between } from '../report/markdown.ts';
import { load, thisHost } from '../results/host.ts';
import { processorName } from '../results/processor.ts';

/** When and where costs were measured. */
export interface Measured {
  readonly date: string;
  readonly processor: string;
  /** The load average before; undefined where the system has none. */
  readonly load?: number;
}

/** Measures, and says when and where. */
export async function measuredNow<Costs>(measure: () => Promise<Costs>): Promise<Measured & Costs> {
  const before = load();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: processorName(thisHost()),
    ...(before !== undefined && { load: before }),
    ...(await measure()),
  };
}

/** The first sentence of the figures. */
export const measuredText = ({ date, processor, load }: Measured, more = ''): string =>
  `Measured on ${date}: ${processor}${more}${load === undefined ? '' : `, load average ${load.toFixed(1)} before`}.`;

export interface Written {
  readonly figures: string;
  readonly picture: string;
}

/** `docs/NAME.md` with `docs/NAME/costs.json` and `docs/NAME/curves.svg`, and the command that writes them. */
export class ScalingDocument<Costs extends Measured> {
  readonly path: string;
  readonly #folder: string;
  readonly #command: string;
  readonly #write: (costs: Costs) => Written;

  constructor(name: string, command: string, write: (costs: Costs) => Written) {
    const docs = join(import.meta.dirname, '../../../../docs');
    this.path = join(docs, `${name}.md`);
    this.#folder = join(docs, name);
    this.#command = command;
    this.#write = write;
  }

  /** The costs that are kept. */
  get costs(): Costs {
    return JSON.parse(readFileSync(join(this.#folder, 'costs.json'), 'utf8')) as Costs;
  }

  figuresOf(costs: Costs): string {
    return this.#write(costs).figures;
  }

  /** The document and its picture, as costs give them, by their paths. */
  filesOf(costs: Costs): ReadonlyMap<string, string> {
    const { figures, picture } = this.#write(costs);
    return new Map([
      [this.path, between(readFileSync(this.path, 'utf8'), this.#command, figures)],
      [join(this.#folder, 'curves.svg'), picture],
    ]);
  }

  write(costs: Costs): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, 'costs.json'), `${JSON.stringify(costs, undefined, 2)}\n`);
    for (const [path, text] of this.filesOf(costs)) writeFileSync(path, text);
  }
}
