/** All rows of all packages. */
import type { Row } from './row.ts';
import { rows as ofAge } from './rows/age.ts';
import { rows as ofCluster } from './rows/cluster.ts';
import { rows as ofDropIns } from './rows/drop-ins.ts';
import { rows as ofLanewise } from './rows/lanewise.ts';
import { rows as ofSqlite } from './rows/sqlite.ts';

export const rows: readonly Row[] = [...ofLanewise, ...ofAge, ...ofCluster, ...ofSqlite, ...ofDropIns];
export { close } from './rows/lanewise.ts';
