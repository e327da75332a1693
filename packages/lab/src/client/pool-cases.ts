/** The names of contests and cases about pools, by which reports find them. */
export const POOLS = 'parallel/pool/';
export const ONE_THREAD = 'one thread';
export const poolOf = (threads: number): string => `pool of ${threads}`;
