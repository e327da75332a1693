/** The curves of the model as a picture: both axes are logarithmic. */
import type { Curve } from './model.ts';

const WIDTH = 760;
const HEIGHT = 420;
const LEFT = 64;
const RIGHT = 250;
const TOP = 34;
const BOTTOM = 44;
const COLOURS = ['#0b6e99', '#c4501b', '#4b7f2b', '#7d4a9e', '#a8791a'];
const LABEL_HEIGHT = 16;
/** The axis of speeds, in bytes a second. */
const [SLOWEST, FASTEST] = [0.5e9, 1e12];

const at = (value: number): string => value.toFixed(1);
const text = (left: number, top: number, words: string, more = ''): string =>
  `<text x="${at(left)}" y="${at(top)}"${more}>${words}</text>`;
const y = (speed: number): number => {
  const part = Math.log(Math.max(speed, 0.7 * SLOWEST) / SLOWEST) / Math.log(FASTEST / SLOWEST);
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
};

export function curvesSvg(curves: readonly Curve[]): string {
  const machines = curves[0].points.map((point) => point.machines);
  const most = machines.at(-1)!;
  const x = (count: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(count)) / Math.log(most);
  const bottom = HEIGHT - BOTTOM;
  const grid = [
    ...machines.flatMap((count) => [
      `<path d="M${at(x(count))} ${TOP}V${bottom}" stroke="#888" stroke-opacity=".3"/>`,
      text(x(count), bottom + 16, count.toLocaleString('en'), ' text-anchor="middle"'),
    ]),
    ...[1, 10, 100, 1000].flatMap((gigabytes) => [
      `<path d="M${LEFT} ${at(y(gigabytes * 1e9))}H${WIDTH - RIGHT}" stroke="#888" stroke-opacity=".3"/>`,
      text(LEFT - 8, y(gigabytes * 1e9) + 4, `${gigabytes} GB/s`, ' text-anchor="end"'),
    ]),
    text((LEFT + WIDTH - RIGHT) / 2, bottom + 34, 'machines', ' text-anchor="middle"'),
  ];
  const lines = curves.map(({ points }, i) => {
    const path = points.map(({ machines, speed }, j) => `${j === 0 ? 'M' : 'L'}${at(x(machines))} ${at(y(speed))}`);
    return `<path d="${path.join('')}" fill="none" stroke="${COLOURS[i]}" stroke-width="2"/>`;
  });
  // Labels that would lie upon each other move down.
  let last = -Infinity;
  const labels = curves
    .map((curve, i) => ({ name: curve.name, speed: curve.points.at(-1)!.speed, colour: COLOURS[i] }))
    .sort((a, b) => b.speed - a.speed)
    .map(({ name, speed, colour }) => {
      last = Math.max(y(speed) + 4, last + LABEL_HEIGHT);
      return text(WIDTH - RIGHT + 8, last, name, ` fill="${colour}"`);
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#666" role="img">`,
    '<title>Machines, and how many bytes a second they hash together</title>',
    text(LEFT, 18, 'bytes of one object that are hashed a second, by machines: the model'),
    ...grid,
    ...lines,
    ...labels,
    '</svg>',
    '',
  ].join('\n');
}
