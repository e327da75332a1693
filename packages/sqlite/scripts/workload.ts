/** The steps of the benchmark: those of SQLite's own speedtest1 (test/speedtest1.c), described by what they do, on fewer rows. */

/** A name, and statements. */
export type Step = readonly [name: string, sql: string];

const count = (rows: number): string =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
/** A number that looks random, from 0 to `below` - 1; `i` is the row. */
const mixed = (below: number, factor = 7_919): string => `(i * ${factor} + i * i * 31) % ${below}`;
const TEXT = (i: string): string => `printf('%d thousand %d hundred %d and some words', ${i} / 1000, ${i} / 100, ${i})`;

/** The steps for tables of so many rows. */
export function workload(rows: number): Step[] {
  const few = Math.ceil(rows / 50);
  const each = (sql: (i: number) => string): string => Array.from({ length: few }, (_, i) => sql(i)).join(';');
  return [
    [
      'inserts, each a transaction',
      `create table z(a integer, b integer, c text);${each((i) => `insert into z values (${i}, ${(i * 7919) % 1000}, 'row ${i}')`)}`,
    ],
    [
      'inserts in one transaction',
      `begin; create table t(a integer, b integer, c text); ${count(rows)} insert into t select i, ${mixed(rows)}, ${TEXT(mixed(rows))} from n; commit`,
    ],
    [
      'inserts into an indexed table',
      `begin; create table u(a integer primary key, b integer, c text); create index ub on u(b); create index uc on u(c);
       ${count(rows)} insert into u select i, ${mixed(rows)}, ${TEXT(mixed(rows, 104_729))} from n; commit`,
    ],
    [
      'selects without an index',
      each((i) =>
        i % 10 === 0 ? `select count(*), avg(b), sum(length(c)) from t where b between ${i} and ${i * 10}` : '',
      ),
    ],
    ['a sort of all rows', 'select max(c), count(*) from (select c from t order by c limit -1 offset 10)'],
    ['an index of an existing table', 'create index tb on t(b); create index tc on t(c, b)'],
    [
      'selects by an index',
      each((i) => `select count(*), sum(length(c)) from u where b between ${i * 20} and ${i * 20 + 100}`),
    ],
    ['selects by a text', each((i) => `select count(*), sum(b) from u where c >= '${i}' and c < '${i + 1}'`)],
    [
      'updates by an index',
      `begin; ${each((i) => `update u set b = b + 1 where b between ${i * 20} and ${i * 20 + 20}`)}; commit`,
    ],
    ['updates of single rows', `begin; ${each((i) => `update u set b = b + 1 where a = ${i * 49 + 1}`)}; commit`],
    ['one update of the whole table', 'update u set c = c || a'],
    [
      'deletes, and a refill',
      `begin; delete from t where b % 3 = 0; insert into t select a, b, c from u where a % 3 = 0; commit`,
    ],
    [
      'large blobs',
      `begin; create table v(a integer primary key, b blob); ${count(few)} insert into v select i, randomblob(20000) from n; commit; select sum(length(b)) from v`,
    ],
    ['a join', 'select count(*) from t join u on t.b = u.a where u.b % 7 = 0'],
    ['vacuum', 'vacuum'],
    ['integrity check', 'pragma integrity_check'],
  ];
}
