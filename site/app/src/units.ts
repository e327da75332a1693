/** Sizes, rates and times in words. */

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 GB`, with decimal units as file managers show them. */
export function sizeText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${bytes === 1 ? 'byte' : UNITS[power]}`;
}

/** `less than a second`, `42 seconds`, `3 min 20 s`, `2 h 5 min`. */
export function timeText(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  const whole = Math.round(seconds);
  if (whole === 1) return '1 second';
  if (whole < 60) return `${whole} seconds`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
