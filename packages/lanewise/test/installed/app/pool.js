import { createPool } from 'lanewise/pool.js';

export const pool = createPool({ threads: 2 });
