/** One run: all chosen files, one after the other, with progress, until they are done or the person cancels. */
import type { Chosen } from './chosen.ts';
import { announce, button, element, part, say } from './elements.ts';
import { explain, isCancelled } from './explain.ts';
import type { FileList, Outcome } from './file-list.ts';
import type { Job } from './jobs.ts';
import { Progress } from './progress.ts';
import { countText, timeText } from './units.ts';

export interface Work {
  /** For the progress: `Encrypting`. */
  readonly doing: string;
  /** For the result: `encrypted`. */
  readonly did: string;
  readonly method: 'passphrase' | 'keys' | 'passkey' | 'hash';
  /** Whether the browser may keep the beginning of a file whose work was cancelled. */
  readonly mayLeaveParts?: boolean;
  one(chosen: Chosen, job: Job): Promise<Outcome>;
}

let current: AbortController | undefined;

export const isRunning = (): boolean => current !== undefined;
export const cancel = (): void => current?.abort();

/** What can be changed while nothing runs only. */
function setRunning(running: boolean): void {
  document.body.dataset['state'] = running ? 'running' : 'idle';
  for (const fieldset of document.querySelectorAll('fieldset')) fieldset.disabled = running;
  for (const control of document.querySelectorAll<HTMLButtonElement>('#clear, .remove')) control.disabled = running;
  const focusWasHere = [button('start'), button('cancel'), document.body].includes(
    document.activeElement as HTMLButtonElement,
  );
  button('start').hidden = running;
  button('cancel').hidden = !running;
  if (focusWasHere) button(running ? 'cancel' : 'start').focus();
}

function resultText({ did, mayLeaveParts }: Work, done: number, failed: number, cancelled: boolean, seconds: number) {
  const parts = [`${countText(done, 'file')} ${did} in ${timeText(seconds)}.`];
  if (failed > 0) parts.push(`${countText(failed, 'file')} failed: the list says why.`);
  if (cancelled && !mayLeaveParts) parts.push('You cancelled the rest; nothing half-written was left.');
  if (cancelled && mayLeaveParts)
    parts.push(
      'You cancelled the rest. Some browsers keep the beginning of a file in your downloads: remove it there.',
    );
  return parts.join(' ');
}

/** Runs, and gives the number of files that are done. */
export async function run(list: FileList, work: Work): Promise<number> {
  const controller = new AbortController();
  const { signal } = controller;
  current = controller;
  setRunning(true);
  say('result', '');
  const progress = new Progress(list.size);
  const started = performance.now();
  list.reset();
  announce(`${work.doing} ${countText(list.files.length, 'file')}`);
  let done = 0;
  const failures: string[] = [];
  for (const chosen of list.files) {
    progress.begin(list.files.length > 1 ? `${work.doing} ${chosen.path}` : work.doing);
    list.show(chosen, { kind: 'working' });
    try {
      const outcome = await work.one(chosen, { signal, onProgress: progress.done });
      list.show(chosen, outcome);
      done++;
    } catch (error) {
      if (signal.aborted) {
        list.show(chosen, { kind: 'failed', note: 'Cancelled.' });
        break;
      }
      const note = isCancelled(error)
        ? 'The download was stopped in the browser. Start again to get the file.'
        : explain(error, work.method);
      failures.push(note);
      list.show(chosen, { kind: 'failed', note });
      // The person has said no once; asking again for each file would be a nuisance.
      if ((error as Error).name === 'NotAllowedError') break;
    }
    progress.end(chosen.file.size);
  }
  progress.close();
  current = undefined;
  setRunning(false);
  const text = resultText(work, done, failures.length, signal.aborted, (performance.now() - started) / 1000);
  say('result', failures.length === 1 && list.files.length === 1 ? '' : text);
  if (failures.length > 0) say('error', list.files.length === 1 ? failures[0] : text);
  element('result', HTMLElement).hidden ||= failures.length > 0;
  announce(text);
  part('progress-text').textContent = '';
  return done;
}
