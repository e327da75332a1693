/** Jobs at the same time, and their answers one after the other. */

/** A job that was started. */
interface Started<Answer> {
  readonly answer: Promise<Answer>;
  settled: boolean;
}

/**
 * Does jobs in any order, and gives their answers in that of the jobs. A job that is slow to come holds no answer back. An error of the
 * source of jobs comes after the answers of the jobs before it. When this ends early, it ends the source of jobs.
 *
 * @param most - How many are under way at most.
 * @param jobs - Each starts when it is called.
 */
export async function* inOrder<Answer>(
  most: number,
  jobs: AsyncIterator<() => Promise<Answer>, void>,
): AsyncGenerator<Answer, void> {
  const underWay: Started<Answer>[] = [];
  let coming: Promise<void> | undefined;
  let more = true;
  const take = (answer: Promise<Answer>): void => {
    const started: Started<Answer> = { answer, settled: false };
    const settle = (): void => void (started.settled = true);
    answer.then(settle, settle);
    underWay.push(started);
  };
  /** Never rejected: the error waits for its turn as an answer does. */
  const next = async (): Promise<void> => {
    try {
      const { value, done } = await jobs.next();
      if (done) more = false;
      else take(value());
    } catch (error) {
      more = false;
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as it was thrown
      take(Promise.reject(error));
    }
    coming = undefined;
  };
  try {
    for (;;) {
      if (more && underWay.length < most) coming ??= next();
      const first = underWay.at(0);
      if (first?.settled) yield await underWay.shift()!.answer;
      else if (!first && !coming) return;
      else await Promise.race([coming, first?.answer].filter((promise) => promise !== undefined));
    }
  } finally {
    // The source may never give the job that is waited for, so its end is not waited for.
    jobs.return?.().catch(() => undefined);
  }
}
