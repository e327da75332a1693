import { check } from '../check.js';
import { pool } from '../pool.js';

export const dynamic = 'force-dynamic';

export async function GET() {
  return Response.json(await check(pool));
}
