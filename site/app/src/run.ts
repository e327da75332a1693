/** One run: all chosen files, one after the other, with progress, until they are done or the person cancels. */
import type { Chosen } from './chosen.ts';
import { announce, button, element, part, say } from './elements.ts';
import { explain, isCancelled } from './explain.ts';
import type { FileList, Outcome } from './file-list.ts';
import type { Job } from './jobs.ts';
import { shown } from './names.ts';
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
  /** A further note at the end. */
  readonly remark?: () => string;
  one(chosen: Chosen, job: Job): Promise<Outcome>;
}

let current: AbortController | undefined;

export const isRunning = (): boolean => current !== undefined;
export const cancel = (): void => current?.abort();

/** Disables the controls while a run is under way. */
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

interface Counts {
  done: number;
  failed: number;
  differs: number;
  uncompared: number;
}

function resultText(
  { did, mayLeaveParts, remark }: Work,
  { done, failed, differs, uncompared }: Counts,
  cancelled: boolean,
  seconds: number,
): string {
  const parts = [`${countText(done, 'file')} ${did} in ${timeText(seconds)}.`];
  if (differs > 0)
    parts.push(
      `${countText(differs, 'file')} ${differs === 1 ? 'does' : 'do'} not have the expected hash: see the list.`,
    );
  if (uncompared > 0)
    parts.push(`${countText(uncompared, 'file')} ${uncompared === 1 ? 'was' : 'were'} not compared: see the list.`);
  if (failed > 0) parts.push(`${countText(failed, 'file')} failed: the list says why.`);
  const said = remark?.() ?? '';
  if (said !== '') parts.push(said);
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
  const counts: Counts = { done: 0, failed: 0, differs: 0, uncompared: 0 };
  const failures: string[] = [];
  for (const chosen of list.files) {
    progress.begin(list.files.length > 1 ? `${work.doing} ${shown(chosen.path)}` : work.doing);
    list.show(chosen, { kind: 'working' });
    try {
      const outcome = await work.one(chosen, { signal, onProgress: progress.done });
      list.show(chosen, outcome);
      counts.done++;
      if (outcome.kind === 'differs' || outcome.kind === 'uncompared') counts[outcome.kind]++;
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
  counts.failed = failures.length;
  const text = resultText(work, counts, signal.aborted, (performance.now() - started) / 1000);
  const trouble = counts.failed + counts.differs + counts.uncompared;
  say('result', failures.length === 1 && list.files.length === 1 ? '' : text);
  if (trouble > 0) say('error', list.files.length === 1 && failures.length === 1 ? failures[0] : text);
  element('result', HTMLElement).hidden ||= trouble > 0;
  announce(text);
  part('progress-text').textContent = '';
  return counts.done;
}
