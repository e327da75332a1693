/** Stands for the client: `run` says hello and then does what the task's first contest is called. Like the bundle for pages. */
const hello = { type: 'hello', protocol: 1 };
const done = { type: 'done', milliseconds: 1, contests: 0, stopped: false, trusted: true };

/** For tasks that never end: JavaScript goes on, and whoever waits for it waits for ever. */
function hang() {
  for (;;);
}

export async function run(task, emit) {
  emit({ ...hello, seed: task.seed });
  for (const contest of task.contests) {
    if (contest === 'hang') {
      // The greeting is on its way before the thread is taken.
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
