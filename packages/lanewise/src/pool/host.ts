/** Parts of the host that pools and workers need. */
import { hosted } from '../engine/intrinsics.ts';

interface Deno {
  unrefTimer?(timer: number): void;
}
const itsDeno = /* @__PURE__ */ hosted<Deno>('Deno');

/** Timers that do not keep a process running, where the host can tell. */
export function background(timer: unknown): void {
  if (typeof timer === 'number') itsDeno()?.unrefTimer?.(timer);
  else (timer as { unref?(): void }).unref?.();
}

/** As far as it is used, a WeakRef. */
export interface Weak<Held> {
  deref(): Held | undefined;
}
/** Both are missing in workerd before 2025. */
const Reference = /* @__PURE__ */ hosted<new <Held extends object>(held: Held) => Weak<Held>>('WeakRef');
const Registry = /* @__PURE__ */ hosted<FinalizationRegistryConstructor>('FinalizationRegistry');

/** A reference that leaves an object to become garbage, where the host has such. */
export function weakly<Held extends object>(held: Held): Weak<Held> {
  const Its = Reference();
  return Its ? new Its(held) : { deref: () => held };
}

/** It belongs to no pool, because a pool may be dropped with its sessions. */
let dropped: FinalizationRegistry<() => void> | undefined;

/**
 * Calls a function when an object is garbage.
 *
 * @returns Takes that back.
 */
export function whenDropped(object: object, then: () => void): () => void {
  const Its = Registry();
  if (!Its) return () => undefined;
  const registry = (dropped ??= new Its((its: () => void) => its()));
  registry.register(object, then, then);
  return () => void registry.unregister(then);
}
