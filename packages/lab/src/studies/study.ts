/**
 * A study: a page of docs/studies whose numbers, pictures and words come from results of the lab. A study is found by its
 * name: `src/studies/<id>/study.ts` or `src/studies/<id>.study.ts` exports `study`.
 */
import type { Machine } from './machine.ts';

export interface Study {
  /** `chacha20` is docs/studies/chacha20.md, and its pictures are docs/studies/chacha20-….svg. */
  readonly id: string;
  /** The heading of the page. */
  readonly title: string;
  /** A sentence for lists of the studies. */
  readonly summary: string;
  /** The order of the studies in lists. */
  readonly order: number;
  /**
   * The contests that the page is drawn from: ids, or beginnings of ids that end in `/`. A beginning stands for the
   * contests that the lab measures by default and for those of studies; with `--full`, for all.
   */
  readonly contests: readonly string[];
  /** Contests that are measured in engines that only studies start, by the ids of these engines. */
  readonly alsoIn?: Readonly<Record<string, readonly string[]>>;
  readonly page: (data: StudyData) => StudyPage;
}

/** The results as pages read them: those of the machine that the pages are about, and of all others. */
export interface StudyData extends Machine {
  /** Machines whose results were contributed, or that measured earlier: plots by processor have all of them. */
  readonly others: readonly Machine[];
}

export interface StudyPage {
  /**
   * The parts of the page below its title, made by functions of `prose.ts`; undefined ones are left out. The machine, the
   * engines and the command that repeats the page are added.
   */
  readonly parts: readonly (string | undefined)[];
  /** SVG by the name of the file. */
  readonly pictures: ReadonlyMap<string, string>;
}
