/** The program for pages. It sends each sample to the server. */
import { clockOf, kept, samples, type Plan } from './measure.ts';

declare const PLAN: Plan;

const send = (to: string, message: unknown): Promise<unknown> =>
  fetch(to, { method: 'POST', body: JSON.stringify(message) });

async function run(): Promise<void> {
  if (!crossOriginIsolated) throw new Error('the page is not isolated, so its clock is coarse');
  const clock = clockOf(() => performance.now());
  await send('line', { step: clock.step });
  for (const sample of samples(PLAN, clock)) await send('line', sample);
  if (kept === undefined) throw new Error('nothing was timed');
}
run().then(
  () => send('end', ''),
  (error: unknown) => send('end', String(error)),
);
