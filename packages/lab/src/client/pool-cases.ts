/** The names of contests and cases about pools, by which reports find them. */
export const POOLS = 'parallel/pool';
export const ONE_THREAD = 'one thread';
/** The beginning of the names of pools. */
export const POOL = 'pool of ';
export const poolOf = (threads: number): string => `${POOL}${threads}`;
/** Said after the name of a pool that has the caller's thread, too. */
export const CALLER_WORKS = ', the caller one of them';
