#!/usr/bin/env node
/** `npx @lanewise/swap`: puts the drop-in packages of Lanewise in the places of the originals, or takes them back. */
import { parseArgs } from 'node:util';
import { seats, versionOf } from '../../drop-ins/src/lines.ts';
import { commandOf } from './install.ts';
import { dependentsOf, nameOf, originals, planFor, type Plan } from './plan.ts';
import { findProject, MANAGERS, type ManagerName, type Project } from './project.ts';
import { isComplete, readRecord, RECORD } from './record.ts';
import { swap } from './swap.ts';
import { isInstalled, placesOf } from './tree.ts';
import { undo } from './undo.ts';

const HELP = `npx @lanewise/swap [OPTIONS], in the folder of your program

Puts packages with the kernels of Lanewise in the places of these, for your program and all that it depends on:
${seats.map((line) => `  ${`${line.original} ${line.major}`.padEnd(28)}${nameOf(line)} ${versionOf(line)}\n`).join('')}
It writes the lines that your package manager reads (npm, pnpm, Yarn 1 and 4, Bun, Deno), installs, and checks that every place has
the new package. If one has not, everything is put back. ${RECORD} keeps what --undo needs.

  --dry-run          says what it would write, and changes nothing
  --undo             puts everything back as it was, and checks that
  --leave NAME@MAJOR leaves this one as it is: --leave tweetnacl@1; may be given several times
  --manager NAME     ${MANAGERS.join(', ')}: where several have lockfiles
  --help             prints this
`;

function optionsOf(values: readonly string[]): {
  help: boolean;
  undo: boolean;
  isDry: boolean;
  unwanted: ReadonlySet<string>;
  manager: ManagerName | undefined;
} {
  const { values: given } = parseArgs({
    args: [...values],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      undo: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      leave: { type: 'string', multiple: true, default: [] },
      manager: { type: 'string' },
    },
  });
  const names = seats.map((line) => `${line.original}@${line.major}`);
  for (const name of given.leave)
    if (!names.includes(name))
      throw new TypeError(`"--leave" expected ${names.join(' or ')}, got ${JSON.stringify(name)}`);
  const manager = MANAGERS.find((name) => name === given.manager);
  if (given.manager !== undefined && manager === undefined)
    throw new TypeError(`"--manager" expected ${MANAGERS.join(' or ')}, got ${JSON.stringify(given.manager)}`);
  if (given.undo && given.leave.length > 0)
    throw new TypeError('"--undo" takes everything back, so it expected no "--leave"; undo, then run again with it');
  return { help: given.help, undo: given.undo, isDry: given['dry-run'], unwanted: new Set(given.leave), manager };
}

const say = (text: string): void => console.log(text);

const ownPackages = ({ members }: Project): string =>
  members.length === 0
    ? ''
    : `, with ${members.length} other ${members.length === 1 ? 'package' : 'packages'} of its own`;

function sayPlan(plan: Plan, isDry: boolean): void {
  if (plan.replaced.length > 0) say(isDry ? '\nwould replace' : '\nreplaced');
  for (const { line, places } of plan.replaced) {
    const versions = [...new Set(places.map(({ version }) => version))].join(', ');
    say(`  ${line.original} ${versions} by ${nameOf(line)} ${versionOf(line)}, for ${dependentsOf(places)}`);
  }
  if (plan.left.length > 0) say(isDry ? '\nwould leave' : '\nleft');
  for (const { what, because } of plan.left) say(`  ${what}: ${because}`);
}

async function takeBack(project: Project, isDry: boolean): Promise<void> {
  const record = readRecord(project.root);
  if (!record)
    throw new Error(
      `${project.root} has no ${RECORD}, which says what was there before; take the lines with @lanewise out of your package.json, and the lockfile from your version control`,
    );
  if (isDry) {
    say(`would put back ${Object.keys(record.files).join(', ')}, and run ${commandOf(project)}`);
    return;
  }
  say(commandOf(project));
  const { kept, back } = await undo(project, record);
  if (kept.length === 0) say(`\n${Object.keys(record.files).join(', ')}: as before the swap, byte for byte`);
  else say(`\n${kept.join(', ')}: changed since the swap, so only what it wrote is taken out`);
  say(`installed again: ${back.join(', ')}`);
}

async function replace(project: Project, isDry: boolean, unwanted: ReadonlySet<string>): Promise<void> {
  const { root } = project;
  const record = readRecord(root);
  if (record)
    throw new Error(
      isComplete(record)
        ? `this program is swapped already (${RECORD}); for what has come since: npx @lanewise/swap --undo, then npx @lanewise/swap`
        : `an earlier run was cut off (${RECORD}); npx @lanewise/swap --undo puts everything back`,
    );
  if (!isInstalled(root))
    throw new Error(`nothing is installed in ${root}; run ${project.manager} install, then this again`);
  const plan = planFor(project, placesOf(root, project.members, originals), unwanted);
  if (plan.replaced.length === 0) {
    sayPlan(plan, isDry);
    if (plan.ours.length > 0) say(`already in place: ${plan.ours.length} of ours`);
    say(
      plan.left.length + plan.ours.length === 0
        ? `nothing here depends on ${[...originals].join(', ')}`
        : '\nnothing to replace',
    );
    return;
  }
  if (isDry) {
    sayPlan(plan, true);
    say('\nwould write');
    for (const { file, path, value } of plan.edits) say(`  ${file}: ${path.join(' > ')}: ${value}`);
    say(`\nwould run ${commandOf(project)}`);
    return;
  }
  say(commandOf(project));
  const count = await swap(project, plan);
  sayPlan(plan, false);
  say('\nwrote');
  for (const { file, path, value } of plan.edits) say(`  ${file}: ${path.join(' > ')}: ${value}`);
  say(
    `\nchecked: all ${count} places have the files of Lanewise. npx @lanewise/swap --undo takes it back; keep ${RECORD} for that.`,
  );
}

// While a manager runs, the signal ends it, and everything is put back.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
try {
  const { help, undo: isUndo, isDry, unwanted, manager } = optionsOf(process.argv.slice(2));
  if (help) process.stdout.write(HELP);
  else {
    const project = findProject(process.cwd(), manager);
    say(`${project.manager} ${project.version} in ${project.root}${ownPackages(project)}`);
    await (isUndo ? takeBack(project, isDry) : replace(project, isDry, unwanted));
  }
} catch (error) {
  console.error(`swap: ${(error as Error).message}`);
  process.exitCode = 1;
}
