/**
 * A stand-in for the client: `run` says hello and then performs the behaviour that is the id of the task's first
 * contest. It has the exports of the bundle for pages.
 */
const hello = { type: 'hello', protocol: 1 };
const done = { type: 'done', milliseconds: 1, contests: 0, stopped: false, trusted: true };

/** For tasks that never end: JavaScript goes on, and its caller waits for ever. */
function hang() {
  for (;;);
}

export async function run(task, emit) {
  emit({ ...hello, seed: task.seed });
  for (const contest of task.contests) {
    if (contest === 'hang') {
      // The greeting is sent before the thread is blocked.
      await new Promise((resolve) => setTimeout(resolve, 200));
      hang();
    }
    if (contest === 'wait') await new Promise(() => setTimeout(() => {}, 1e8));
    if (contest === 'garbage') emit({ kind: 'nothing that anybody knows' });
    if (contest === 'throw') throw new Error('thrown by the client');
    emit({ type: 'unavailable', contest, reason: 'a stub measures nothing' });
  }
  emit(done);
}
