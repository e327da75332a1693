/** How large the jobs are whose bytes workers read from files. */

/** The messages of a job take as long as some twenty microseconds of work, so that a file of many jobs has fewer and larger ones. */
const LARGER = 4;
/** How many of the larger jobs each thread has at least, so that all of them end at about the same time. */
const LEAST_JOBS = 8;

/**
 * How many times as large as others the jobs of a file are.
 *
 * @param bytes - Those of the file.
 * @param jobBytes - Those of a job, unless it is larger.
 * @param count - The number of threads.
 */
export const largerBy = (bytes: number, jobBytes: number, count: number): number =>
  bytes >= LEAST_JOBS * count * LARGER * jobBytes ? LARGER : 1;
