/** Scripts of SQLite's logic tests, over an encrypted database: the format, and that a wrong answer is noticed. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { runScript } from './logic-script.ts';
import { Connection, memory } from './support.ts';

const hash = (text: string): string => createHash('md5').update(text).digest('hex');
const SCRIPT = `# By hand.
hash-threshold 8

statement ok
create table t(a integer, b real,
  c text)

statement ok
insert into t values (2, 0.5, ''), (10, 1e18, 'é'), (null, -2, 'x')

statement error
insert into none values (1)

skipif sqlite
statement ok
this is for others

onlyif mysql # by its name
statement ok
this is for others

onlyif sqlite
query IRT rowsort
select * from t
----
10
1000000000000000000.000
@@
2
0.500
(empty)
NULL
-2.000
x

query I valuesort
select a from t where a is not null
----
10
2

query I nosort
select a from t where a is not null order by a
----
2 values hashing to ${hash('2\n10\n')}

query I nosort
select sum(x) from (select 9223372036854775807 as x union all select 1)
----

halt

statement ok
this comes never
`;

test('a script, and wrong answers in it', async () => {
  const db = await Connection.open(memory());
  expect(await runScript(SCRIPT, db)).toEqual({ passed: 7, skipped: 2, faults: [] });
  await db.run('drop table t');
  const wrong = SCRIPT.replace('0.500', '0.600').replace(hash('2\n10\n'), hash('10\n2\n'));
  const { passed, faults } = await runScript(wrong, db);
  expect(passed).toBe(5);
  expect(faults.map((fault) => fault.slice(0, fault.indexOf(':')))).toEqual(['line 22', 'line 42']);
  await db.close();
});
