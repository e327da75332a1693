/** The labels that secrets are followed by, and all labels at a place of the code. */

/** `pointer`: an engine's own data, such as the instance; `frame`: an address on the stack; `linear`: the start of linear memory. */
export type Label = 'public' | 'pointer' | 'linear' | 'frame' | 'secret';

export function joined(x: Label | undefined, y: Label): Label {
  if (x === undefined || x === y) return y;
  if (x === 'secret' || y === 'secret') return 'secret';
  return x === 'frame' || y === 'frame' ? 'frame' : 'public';
}

export const allOf = (labels: readonly Label[]): Label =>
  labels.length ? labels.reduce((x, y) => joined(x, y)) : 'public';

/** Frames are labelled byte by byte, from the frame pointer on. */
export class State {
  readonly registers: Map<string, Label>;
  readonly frame: Map<number, Label>;
  pushed: Label[];
  /** Of all that was written from the stack pointer on where its place is not known. */
  outgoing: Label;
  flags: Label;
  /** The stack pointer, from the frame pointer on. */
  depth: number | undefined;

  constructor(other?: State) {
    this.registers = new Map(other?.registers);
    this.frame = new Map(other?.frame);
    this.pushed = [...(other?.pushed ?? [])];
    this.outgoing = other?.outgoing ?? 'public';
    this.flags = other?.flags ?? 'public';
    this.depth = other?.depth;
  }

  /** Takes over the labels of another way; whether that changed anything. */
  merge(other: State): boolean {
    let changed = false;
    const both = <K>(to: Map<K, Label>, from: ReadonlyMap<K, Label>): void => {
      for (const [key, label] of from) {
        const all = joined(to.get(key), label);
        if (all !== to.get(key)) {
          to.set(key, all);
          changed = true;
        }
      }
    };
    both(this.registers, other.registers);
    both(this.frame, other.frame);
    const [outgoing, flags] = [joined(this.outgoing, other.outgoing), joined(this.flags, other.flags)];
    const pushed = this.pushed.map((label, i) => joined(other.pushed[i], label));
    const depth = this.depth === other.depth ? this.depth : undefined;
    changed ||= outgoing !== this.outgoing || flags !== this.flags || pushed.join() !== this.pushed.join();
    changed ||= depth !== this.depth;
    [this.outgoing, this.flags, this.pushed, this.depth] = [outgoing, flags, pushed, depth];
    return changed;
  }
}
