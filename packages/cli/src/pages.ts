/**
 * Man pages and completions of shells, made from the tables by which options are parsed, and from the texts of `--help`, which have to
 * name the same options: they are built with the command, so that they can't be out of date.
 */
import type { OptionTable } from './command.ts';

/** The parts of a page. */
export interface Subject {
  readonly name: string;
  readonly summary: string;
  readonly HELP: string;
  readonly options: OptionTable;
}

/** An option as `--help` shows it. */
interface Shown {
  readonly short: string | undefined;
  readonly long: string;
  /** The word for its value. */
  readonly value: string | undefined;
  readonly text: string;
}

type Block = { readonly paragraph: string } | { readonly option: Shown };

const OPTION = /^ {2,6}(?:-(?<short>\w), )?--(?<long>[\w-]+)(?: (?<value>[^ ]+))? +(?<text>\S.*)$/;

/** The blocks of a help text after its usage: paragraphs, and options with the lines that go on below them. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let ended = true;
  for (const line of lines) {
    const found = OPTION.exec(line)?.groups;
    const last = blocks.at(-1);
    if (line === '') ended = true;
    else if (found) {
      const { short, long, value, text } = found as { long: string; text: string; short?: string; value?: string };
      blocks.push({ option: { short, long, value, text } });
      ended = false;
    } else if (ended || !last) {
      blocks.push({ paragraph: line });
      ended = false;
    } else
      blocks[blocks.length - 1] =
        'option' in last
          ? { option: { ...last.option, text: `${last.option.text}\n${line.trim()}` } }
          : { paragraph: `${last.paragraph}\n${line}` };
  }
  return blocks;
}

interface Page {
  readonly usage: readonly string[];
  readonly blocks: readonly Block[];
  readonly shown: readonly Shown[];
}

/**
 * Takes a help text apart.
 *
 * @throws Error if it does not name the options of its table, each of them once and in its form.
 */
export function pageOf({ name, HELP, options }: Subject): Page {
  const lines = HELP.trimEnd().split('\n');
  const end = lines.indexOf('');
  const blocks = blocksOf(lines.slice(end));
  const shown = blocks.flatMap((block) => ('option' in block ? [block.option] : []));
  const form = (long: string, short: string | undefined, takes: boolean): string =>
    `${short === undefined ? '' : `-${short}, `}--${long}${takes ? ' VALUE' : ''}`;
  const given = Object.entries(options).map(([long, { short, type }]) => form(long, short, type === 'string'));
  const told = shown.map(({ long, short, value }) => form(long, short, value !== undefined));
  const odd = [...given.filter((each) => !told.includes(each)), ...told.filter((each) => !given.includes(each))];
  if (odd.length > 0 || told.length !== given.length)
    throw new Error(`lanewise ${name}: the table of options and --help differ in ${odd.join(', ') || 'their number'}`);
  return { usage: lines.slice(0, end), blocks, shown };
}

/** Text of roff: backslashes and dashes are its own, and so are dots and quotes at the start of a line. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

/** The page of a subcommand, for `man lanewise-NAME`. */
export function manPage(subject: Subject, version: string): string {
  const { usage, blocks } = pageOf(subject);
  const parts = [
    `.TH LANEWISE\\-${subject.name.toUpperCase()} 1 "" "lanewise ${version}"`,
    `.SH NAME\nlanewise\\-${roff(subject.name)} \\- ${roff(subject.summary)}`,
    `.SH SYNOPSIS\n.nf\n${usage.map(roff).join('\n')}\n.fi`,
    '.SH DESCRIPTION',
  ];
  let inOptions = false;
  for (const block of blocks) {
    if ('option' in block) {
      if (!inOptions) parts.push('.SH OPTIONS');
      inOptions = true;
      const { short, long, value, text } = block.option;
      const names = [...(short === undefined ? [] : [`-${short}`]), `--${long}`].map((name) => `\\fB${roff(name)}\\fR`);
      parts.push(`.TP\n${names.join(', ')}${value === undefined ? '' : ` \\fI${roff(value)}\\fR`}\n${roff(text)}`);
    } else {
      // Lists keep their lines.
      const isList = /^ /m.test(block.paragraph);
      parts.push(isList ? `.PP\n.nf\n${roff(block.paragraph)}\n.fi` : `.PP\n${roff(block.paragraph)}`);
    }
  }
  parts.push('.SH SEE ALSO\nlanewise(1)');
  return `${parts.join('\n')}\n`;
}

/** The page of the command, for `man lanewise`. */
export function mainPage(subjects: readonly Subject[], version: string): string {
  const list = subjects.map(({ name, summary }) => `.TP\n\\fBlanewise\\-${roff(name)}\\fR(1)\n${roff(summary)}`);
  return `${[
    `.TH LANEWISE 1 "" "lanewise ${version}"`,
    '.SH NAME\nlanewise \\- checksums, and encryption of files, disks and objects',
    '.SH SYNOPSIS\n\\fBlanewise\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n\\fBlanewise\\fR \\-\\-help | \\-\\-version',
    '.SH COMMANDS',
    ...list,
    '.SH EXIT STATUS\n0 all is right; 1 a mismatch, or something could not be read or written; 2 wrong arguments.',
  ].join('\n')}\n`;
}

/** Whether the value of an option names a file: the word for it says so. */
const isPath = ({ value = '' }: Shown): boolean => /FILE|OUT/.test(value);

const namesOf = ({ short, long }: Shown): string[] => [...(short === undefined ? [] : [`-${short}`]), `--${long}`];

/** For bash: `source` it, or install it where bash-completion looks. */
export function bashCompletion(subjects: readonly Subject[]): string {
  const cases = subjects.map((subject) => {
    const { shown } = pageOf(subject);
    const valued = shown.filter(({ value }) => value !== undefined);
    const [files, others] = [valued.filter(isPath), valued.filter((each) => !isPath(each))];
    const pattern = (list: readonly Shown[]): string => list.flatMap(namesOf).join('|');
    return [
      `    ${subject.name})`,
      '      case "$before" in',
      ...(files.length
        ? [
            `        ${pattern(files)}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;`,
          ]
        : []),
      ...(others.length ? [`        ${pattern(others)}) return ;;`] : []),
      '      esac',
      `      options="${shown.flatMap(namesOf).join(' ')}" ;;`,
    ].join('\n');
  });
  return `# Completion of lanewise for bash.
_lanewise() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${subjects.map(({ name }) => name).join(' ')} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) return ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}
complete -F _lanewise lanewise
`;
}

/** Text within single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The first line of an option's text, without characters that would end a description of zsh. */
const short = ({ text }: Shown): string => text.split('\n')[0].replace(/[[\]:\\]/g, ' ');

/** For zsh: a file of that name in a folder of `fpath`. */
export function zshCompletion(subjects: readonly Subject[]): string {
  const cases = subjects.map((subject) => {
    const specs = pageOf(subject).shown.flatMap((shown) => {
      const repeated = subject.options[shown.long].multiple ? '*' : '';
      const value =
        shown.value === undefined ? '' : `:${shown.value.replace(/:/g, ' ')}:${isPath(shown) ? '_files' : ' '}`;
      return namesOf(shown).map((name) => quoted(`${repeated}${name}[${short(shown)}]${value}`));
    });
    return `    ${subject.name}) _arguments ${[...specs, "'*:file:_files'"].join(' \\\n      ')} ;;`;
  });
  const list = subjects.map(({ name, summary }) => quoted(`${name}:${summary.replaceAll(':', ' ')}`));
  return `#compdef lanewise
# Completion of lanewise for zsh.
if (( CURRENT == 2 )); then
  local -a commands=(${list.join(' ')})
  _describe command commands
else
  local name=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join('\n')}
  esac
fi
`;
}

/** For fish: a file in `~/.config/fish/completions`. */
export function fishCompletion(subjects: readonly Subject[]): string {
  const lines = subjects.flatMap((subject) => {
    const { name, summary } = subject;
    const options = pageOf(subject).shown.map((shown) => {
      const value = shown.value === undefined ? '' : isPath(shown) ? ' -r -F' : ' -x';
      const letter = shown.short === undefined ? '' : ` -s ${shown.short}`;
      return `complete -c lanewise -n '__fish_seen_subcommand_from ${name}'${letter} -l ${shown.long}${value} -d ${quoted(short(shown))}`;
    });
    return [`complete -c lanewise -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`, ...options];
  });
  return `# Completion of lanewise for fish.\n${lines.join('\n')}\n`;
}

/** All files, by their paths below the folder of the build. */
export function pagesFor(subjects: readonly Subject[], version: string): ReadonlyMap<string, string> {
  return new Map([
    ['man/lanewise.1', mainPage(subjects, version)],
    ...subjects.map((subject) => [`man/lanewise-${subject.name}.1`, manPage(subject, version)] as const),
    ['completions/lanewise.bash', bashCompletion(subjects)],
    ['completions/_lanewise', zshCompletion(subjects)],
    ['completions/lanewise.fish', fishCompletion(subjects)],
  ]);
}
