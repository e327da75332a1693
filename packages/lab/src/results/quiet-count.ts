/** Counts quiet samples while an engine is being measured, for progress on a terminal and in a page. */
import type { Message, SamplesMessage } from '../client/messages.ts';
import { median } from './medians.ts';
import { bestOf, probesOf, statesOf, tallyOf, type CoreState, type Probes, type Tally } from './quiet.ts';

interface Heard {
  readonly samples: SamplesMessage;
  readonly probes: Probes;
}

/** All sessions of one engine. */
export class QuietCount {
  readonly #heard: Heard[] = [];
  #stepMilliseconds = 0;
  #best: number | undefined;

  hear(message: Message): void {
    if (message.type === 'hello') this.#stepMilliseconds = message.timer.stepMilliseconds;
    if (message.type !== 'samples' || !message.probe) return;
    this.#heard.push({ samples: message, probes: probesOf(message.probe, this.#stepMilliseconds) });
    this.#best = undefined;
  }

  /** The states of the core in a contest of one session, by the best probe so far; undefined without probes. */
  states(samples: SamplesMessage): ((id: string) => readonly CoreState[]) | undefined {
    const found = this.#heard.find((each) => each.samples === samples);
    const best = this.#bestSoFar();
    return found && best !== undefined ? (id) => statesOf(found.probes, id, best) : undefined;
  }

  /** The samples so far, and how many times as long as quiet ones the busy ones took; undefined without probes. */
  summary(): { readonly tally: Tally; readonly slowdown: number | undefined } | undefined {
    const best = this.#bestSoFar();
    if (best === undefined) return undefined;
    const all = this.#heard.flatMap(({ samples, probes }) =>
      Object.entries(samples.nanoseconds).map(([id, values]) => ({ values, states: statesOf(probes, id, best) })),
    );
    const slowdowns = all.flatMap(({ values, states }) => {
      const [quiet, busy] = (['quiet', 'busy'] as const).map((wanted) => values.filter((_, i) => states[i] === wanted));
      return quiet.length > 0 && busy.length > 0 ? [median(busy) / median(quiet)] : [];
    });
    return {
      tally: tallyOf(all.map(({ states }) => states)),
      slowdown: slowdowns.length > 0 ? median(slowdowns) : undefined,
    };
  }

  #bestSoFar(): number | undefined {
    return (this.#best ??= bestOf(this.#heard.map(({ probes }) => probes)));
  }

  /** In words, for example `312 of 640 samples quiet, busy ones took 1.27×`; empty without probes. */
  toString(): string {
    const { tally, slowdown } = this.summary() ?? {};
    if (!tally) return '';
    const busy = slowdown === undefined ? '' : `, busy ones took ${slowdown.toFixed(2)}×`;
    return `${tally.quiet} of ${tally.rounds} samples quiet${busy}`;
  }
}
