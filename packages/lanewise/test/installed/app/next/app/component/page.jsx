import { check } from '../check.js';
import { pool } from '../pool.js';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return <p>{JSON.stringify(await check(pool))}</p>;
}
