/** The program for pages. It sends each sample to the server. */
import { said, type Plan } from './measure.ts';

declare const PLAN: Plan;

const send = (to: string, message: unknown): Promise<unknown> =>
  fetch(to, { method: 'POST', body: JSON.stringify(message) });

async function run(): Promise<void> {
  if (!crossOriginIsolated) throw new Error('the page is not isolated, so its clock is coarse');
  for (const line of said(PLAN, () => performance.now())) await send('line', line);
}
run().then(
  () => send('end', ''),
  (error: unknown) => send('end', String(error)),
);
