/**
 * A study: a page of docs/studies whose numbers, pictures and words come from results of the lab. A study is found by its
 * name: `src/studies/<id>/study.ts` exports `study`, and `page.md` beside it is the text.
 */
import type { Machine } from './machine.ts';
import type { Value } from './prose.ts';
import type { Shown } from './shown.ts';

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
  /** The values that the page names; `shown` shows the pictures that the study draws itself. */
  readonly given: (data: StudyData, shown: Shown) => Given;
}

/** The results as pages read them: those of the machine that the pages are about, and of all others. */
export interface StudyData extends Machine {
  /** Machines whose results were contributed, or that measured earlier: plots by processor have all of them. */
  readonly others: readonly Machine[];
}

/** Values by their names; undefined where they were not measured. */
export type Figures = Readonly<Record<string, Value>>;

/** A study's values for its page. */
export interface Given {
  /** Ids of contests and of cases by their names in the page. */
  readonly names: Readonly<Record<string, string>>;
  /** Figures that were published; they stand in sections only that have measured ones, too. */
  readonly published?: Figures;
  /** Figures that no expression says. */
  readonly figures?: Figures;
  /** Tables and pictures that the study makes itself. */
  readonly parts?: Readonly<Record<string, string | undefined>>;
  /** Columns of tables and pictures that no expression says, by their names. */
  readonly columns?: Readonly<Record<string, (engine: string, item: string) => number | Value>>;
}
