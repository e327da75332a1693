/** The curves of a model as a picture: both axes are logarithmic. */
import { THREADS, type Curve } from './model.ts';

const WIDTH = 760;
const HEIGHT = 460;
const LEFT = 48;
const RIGHT = 250;
const TOP = 34;
const BOTTOM = 40;
const LABEL_HEIGHT = 15;
const COLOURS = ['#0b6e99', '#c4501b', '#4b7f2b', '#7d4a9e', '#a8791a', '#b03060', '#2f6f6f', '#555555'];
const DASHES: Readonly<Record<Curve['source'], string>> = {
  memory: '',
  SharedArrayBuffer: '8 3',
  Blob: '3 3',
  file: '10 3 2 3',
};

const most = THREADS.at(-1)!;
const x = (threads: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log2(threads)) / Math.log2(most);
const y = (speedup: number): number =>
  HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * Math.max(-0.5, Math.log2(speedup))) / Math.log2(most);
const at = (value: number): string => value.toFixed(1);

const text = (left: number, top: number, words: string, more = ''): string =>
  `<text x="${at(left)}" y="${at(top)}"${more}>${words}</text>`;

export function curvesSvg(engine: string, curves: readonly Curve[]): string {
  const works = [...new Set(curves.map(({ work }) => work))];
  const colour = ({ work }: Curve): string => COLOURS[works.indexOf(work) % COLOURS.length];
  const grid = THREADS.flatMap((count) => [
    `<path d="M${at(x(count))} ${TOP}V${HEIGHT - BOTTOM}M${LEFT} ${at(y(count))}H${WIDTH - RIGHT}" stroke="#888" stroke-opacity=".3"/>`,
    text(x(count), HEIGHT - BOTTOM + 16, String(count), ' text-anchor="middle"'),
    text(LEFT - 8, y(count) + 4, String(count), ' text-anchor="end"'),
  ]);
  const lines = curves.map((curve) => {
    const path = curve.speedups.map((speedup, i) => `${i === 0 ? 'M' : 'L'}${at(x(THREADS[i]))} ${at(y(speedup))}`);
    const dash = DASHES[curve.source] && ` stroke-dasharray="${DASHES[curve.source]}"`;
    return `<path d="${path.join('')}" fill="none" stroke="${colour(curve)}" stroke-width="2"${dash}/>`;
  });
  // Labels that would lie upon each other move down.
  let last = -Infinity;
  const labels = [...curves]
    .sort((a, b) => b.speedups.at(-1)! - a.speedups.at(-1)!)
    .map((curve) => {
      last = Math.max(y(curve.speedups.at(-1)!) + 4, last + LABEL_HEIGHT);
      return text(WIDTH - RIGHT + 8, last, `${curve.work}, ${curve.source}`, ` fill="${colour(curve)}"`);
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#666" role="img">`,
    `<title>Threads, and how many times as fast as one thread they are, in ${engine}</title>`,
    text(LEFT, 18, `times as fast as one thread, by threads: the model for ${engine}`),
    ...grid,
    `<path d="M${at(x(1))} ${at(y(1))}L${at(x(most))} ${at(y(most))}" stroke="#888" stroke-dasharray="1 4"/>`,
    ...lines,
    ...labels,
    '</svg>',
    '',
  ].join('\n');
}
