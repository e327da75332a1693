/** The names of contests and cases about pools, by which reports find them. */
export const POOLS = 'parallel/pool/';
export const ONE_THREAD = 'one thread';
export const poolOf = (threads: number): string => `pool of ${threads}`;
/** Said after the name of a pool of which the caller's thread is one. */
export const CALLER_WORKS = ', the caller one of them';
