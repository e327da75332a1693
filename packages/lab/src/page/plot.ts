/** The live plot: speed by length of the message, one line for each contestant. */
import './language.ts';
import uPlot from 'uplot';
import { shortBytes, significant } from '../report/numbers.ts';
import { byId } from './elements.ts';
import type { Figure } from './figures.ts';

export type Unit = 'speed' | 'cycles' | 'time';

const UNITS: Readonly<Record<Unit, { readonly label: string; readonly of: (figure: Figure) => number | undefined }>> = {
  speed: { label: 'MB/s', of: ({ speed }) => speed },
  cycles: { label: 'cycles per byte', of: ({ cyclesPerByte }) => cyclesPerByte },
  time: { label: 'ns per call', of: ({ nanoseconds }) => nanoseconds },
};

/** The palette of Okabe and Ito, which colour-blind people can tell apart on white and on black. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#8c8c00', '#7f7f7f'];
const FEW = COLOURS.length;
/** The order of the lines is fixed, so that a contestant keeps its colour. */
const FIRST = ['lanewise auto', 'lanewise simd', 'lanewise scalar', 'lanewise js', 'noble', 'libsodium.js'];

/** The speeds at one length. */
export interface Point {
  readonly length: number;
  readonly figures: readonly Figure[];
}

/** uPlot's enumeration exists as a type only, and has no value at run time. */
const LOGARITHMIC = 3 as unknown as uPlot.Scale.Distr;
const HEIGHT = 320;
const ASPECT = 0.75;

export class Plot {
  readonly #at = byId('plot');
  #plot: uPlot | undefined;
  #drawn: readonly [string, readonly Point[], Unit] | undefined;
  #lines = '';

  constructor() {
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(this.#at);
    const { matches } = matchMedia('(prefers-color-scheme: dark)');
    for (const scheme of [matches ? 'light' : 'dark', matches ? 'dark' : 'light'])
      matchMedia(`(prefers-color-scheme: ${scheme})`).addEventListener('change', () => this.#again());
  }

  /** `task` is for example `BLAKE3, hash`. */
  draw(task: string, points: readonly Point[], unit: Unit): void {
    this.#drawn = [task, points, unit];
    const sorted = [...points].sort((a, b) => a.length - b.length).filter(({ length }) => length > 0);
    const names = namesIn(sorted);
    const data = [
      sorted.map(({ length }) => length),
      ...names.map((name) =>
        sorted.map(({ figures }) => {
          const found = figures.find(({ case: { id } }) => id === name);
          // A logarithmic axis needs values above 0.
          return (found && UNITS[unit].of(found)) || null;
        }),
      ),
    ] as uPlot.AlignedData;
    const lines = JSON.stringify([task, unit, names]);
    if (this.#plot && lines === this.#lines) {
      this.#plot.setData(data);
      return;
    }
    this.#lines = lines;
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#options(names, unit), data, this.#at);
    this.#at.setAttribute('role', 'figure');
    this.#at.setAttribute(
      'aria-label',
      `${task}: ${UNITS[unit].label} by bytes in a message. The tables have the figures.`,
    );
  }

  #again(): void {
    if (!this.#drawn) return;
    this.#lines = '';
    this.draw(...this.#drawn);
  }

  #size(): { width: number; height: number } {
    const width = this.#at.clientWidth;
    return { width, height: Math.min(HEIGHT, Math.round(width * ASPECT)) };
  }

  #options(names: readonly string[], unit: Unit): uPlot.Options {
    const colours = getComputedStyle(document.documentElement);
    const [ink, line] = ['--quiet', '--line'].map((name) => colours.getPropertyValue(name).trim());
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    return {
      ...this.#size(),
      scales: { x: { time: false, distr: LOGARITHMIC, log: 2 }, y: { distr: LOGARITHMIC } },
      axes: [
        {
          ...axis,
          label: 'bytes in a message',
          values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : shortBytes(tick))),
        },
        { ...axis, label: UNITS[unit].label, size: 64, values: (_, ticks) => ticks.map((tick) => numberText(tick)) },
      ],
      legend: { live: true },
      series: [
        { label: 'bytes', value: (_, value) => (value === null ? '' : String(value)) },
        ...names.map((label, i) => ({
          label,
          stroke: COLOURS[i % FEW],
          width: label.startsWith('lanewise') ? 3 : 1.5,
          dash: i < FEW ? [] : [6, 4],
          points: { show: true, size: 7 },
          spanGaps: true,
          value: (_: uPlot, value: number | null) => (value === null ? '' : significant(value)),
        })),
      ],
    };
  }
}

function namesIn(points: readonly Point[]): string[] {
  const all = new Set(points.flatMap(({ figures }) => figures.map(({ case: { id } }) => id)));
  return [...FIRST.filter((name) => all.delete(name)), ...all];
}

const numberText = (value: number | null): string =>
  value === null ? '' : value >= 1e4 ? `${value / 1e3}k` : String(value);
