/** How much of a run is done, how fast, and how long the rest takes. */
import { announce, element, part } from './elements.ts';
import { sizeText, timeText } from './units.ts';

/** The rate is that of the last seconds, so that it follows a slow disk or a busy machine. */
const WINDOW_MILLISECONDS = 4000;
const TICK_MILLISECONDS = 200;

export class Progress {
  readonly #total: number;
  readonly #samples: { readonly time: number; readonly done: number }[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #bar = element('bar', HTMLProgressElement);
  #before = 0;
  #current = 0;
  #label = '';
  #quarters = 0;

  constructor(total: number) {
    this.#total = total;
    part('progress').hidden = false;
    this.#timer = setInterval(() => this.#show(), TICK_MILLISECONDS);
    this.#show();
  }

  /** Begins a file. */
  begin(label: string): void {
    this.#label = label;
    this.#current = 0;
    this.#show();
  }

  /** Tells the bytes of this file that are done. */
  readonly done = (bytes: number): void => {
    this.#current = bytes;
  };

  /** Ends a file, done or failed. */
  end(size: number): void {
    this.#before += size;
    this.#current = 0;
  }

  close(): void {
    clearInterval(this.#timer);
    part('progress').hidden = true;
    document.title = 'Lanewise Files';
  }

  #show(): void {
    const now = performance.now();
    const done = Math.min(this.#total, this.#before + this.#current);
    const samples = this.#samples;
    samples.push({ time: now, done });
    while (samples.length > 2 && now - samples[0].time > WINDOW_MILLISECONDS) samples.shift();
    const share = this.#total === 0 ? 1 : done / this.#total;
    this.#bar.value = share;
    document.title = `${Math.floor(share * 100)} % – Lanewise Files`;
    part('progress-text').textContent = [this.#label, this.#amount(done)].filter(Boolean).join(': ');
    const quarters = Math.floor(share * 4);
    if (quarters > this.#quarters && quarters < 4) announce(`${quarters * 25} percent`);
    this.#quarters = quarters;
  }

  #amount(done: number): string {
    const [first] = this.#samples;
    const seconds = (performance.now() - first.time) / 1000;
    const rate = seconds > 0.3 ? (done - first.done) / seconds : 0;
    const parts = [`${sizeText(done)} of ${sizeText(this.#total)}`];
    if (rate > 0) parts.push(`${sizeText(rate)}/s`, `${timeText((this.#total - done) / rate)} left`);
    return parts.join(' · ');
  }
}
