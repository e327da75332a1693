/** Waits that count turns of the event loop, and not time, of which a busy machine takes more. */

/** Lets everything happen that only waits for its turn: for tests that nothing happens. */
export async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setTimeout(resolve));
}

/** The value when it has stayed the same for some turns. */
export async function settled<Value>(value: () => Value): Promise<Value> {
  for (;;) {
    const before = value();
    await turns();
    if (value() === before) return before;
  }
}

/** Waits for something. If it never comes, the limit of the test says so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turns(1);
}

/** Does something while intervals take an eighth of their time: a pool asks a silent worker every two seconds, half a minute long. */
export async function withShortIntervals(work: () => Promise<void>): Promise<void> {
  const { setInterval } = globalThis;
  const shorter = (then: () => void, milliseconds: number) => setInterval(then, milliseconds / 8);
  globalThis.setInterval = shorter as unknown as typeof setInterval;
  try {
    await work();
  } finally {
    globalThis.setInterval = setInterval;
  }
}
