import { createPool } from 'lanewise/pool.js';

export const pool = createPool({ threads: 2, threshold: 4_000_000 });
