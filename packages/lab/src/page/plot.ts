/** The live plot: speed by length of the message, one line for each contestant. */
import * as Plots from '@observablehq/plot';
import { colourOf, isDashed } from '../charts/palette.ts';
import { shortBytes, significant } from '../report/numbers.ts';
import { byId } from './elements.ts';
import type { Figure } from './figures.ts';

export type Unit = 'speed' | 'cycles' | 'time';

const UNITS: Readonly<Record<Unit, { readonly label: string; readonly of: (figure: Figure) => number | undefined }>> = {
  speed: { label: 'MB/s', of: ({ speed }) => speed },
  cycles: { label: 'cycles per byte', of: ({ cyclesPerByte }) => cyclesPerByte },
  time: { label: 'ns per call', of: ({ nanoseconds }) => nanoseconds },
};

/** The order of the lines is fixed, so that a contestant keeps its colour. */
const FIRST = ['lanewise auto', 'lanewise simd', 'lanewise scalar', 'lanewise js', 'noble', 'libsodium.js'];

/** The speeds at one length. */
export interface Point {
  readonly length: number;
  readonly figures: readonly Figure[];
}

const HEIGHT = 320;
const ASPECT = 0.75;

export class Plot {
  readonly #at = byId('plot');
  #width = 0;
  #drawn: readonly [string, readonly Point[], Unit] | undefined;

  constructor() {
    new ResizeObserver(() => {
      if (this.#drawn && this.#at.clientWidth !== this.#width) this.draw(...this.#drawn);
    }).observe(this.#at);
  }

  /** `task` is for example `BLAKE3, hash`. */
  draw(task: string, points: readonly Point[], unit: Unit): void {
    this.#drawn = [task, points, unit];
    const { label, of } = UNITS[unit];
    // Logarithmic axes need values above 0.
    const all = points
      .filter(({ length }) => length > 0)
      .flatMap(({ length, figures }) =>
        figures.map((figure) => ({ length, name: figure.case.id, value: of(figure) ?? 0 })),
      )
      .filter(({ value }) => value > 0)
      .sort((a, b) => a.length - b.length);
    const others = new Set(all.map(({ name }) => name));
    const names = [...FIRST.filter((name) => others.delete(name)), ...others];
    const width = (this.#width = this.#at.clientWidth);
    const axis = { type: 'log', grid: true } as const;
    this.#at.replaceChildren(
      Plots.plot({
        width,
        height: Math.min(HEIGHT, Math.round(width * ASPECT)),
        marginLeft: 50,
        marginBottom: 44,
        style: { background: 'none', fontSize: '12px' },
        ariaLabel: `${task}: ${label} by bytes in a message. The tables have the figures.`,
        x: { ...axis, base: 2, label: 'bytes in a message', labelAnchor: 'center', tickFormat: shortBytes },
        y: { ...axis, label, tickFormat: (value: number) => (value >= 1e4 ? `${value / 1e3}k` : String(value)) },
        color: { domain: names, range: names.map((_, i) => colourOf(i)), legend: true },
        marks: [
          ...names.map((name, i) =>
            Plots.lineY(
              all.filter((each) => each.name === name),
              {
                x: 'length',
                y: 'value',
                stroke: 'name',
                strokeWidth: name.startsWith('lanewise') ? 3 : 1.5,
                ...(isDashed(i) && { strokeDasharray: '6 4' }),
                marker: 'circle',
              },
            ),
          ),
          Plots.tip(
            all,
            Plots.pointer({
              x: 'length',
              y: 'value',
              title: ({ name, length, value }: (typeof all)[number]) =>
                `${name}, ${shortBytes(length)}: ${significant(value)} ${label}`,
            }),
          ),
        ],
      }),
    );
  }
}
