/** Pictures and sentences have the newest release of each engine; tables have all. */
import type { MachineEngine } from './machine.ts';

const NEWEST: readonly string[] = ['chromium', 'firefox', 'webkit', 'node26', 'bun', 'deno', 'workerd'];

/** The newest release of each engine that a machine has measured. */
export const newest = (engines: readonly MachineEngine[]): readonly MachineEngine[] =>
  engines.filter(({ id }) => NEWEST.includes(id));

/** Whether users have the engine: those in a slow tier are for studies. */
export const isUsual = (id: string): boolean => id !== 'firefox-baseline' && id !== 'firefox-debugger';
