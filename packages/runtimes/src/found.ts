/** A program that was looked for on this machine, and the settings that it is started with. */
export interface Found {
  readonly missing?: undefined;
  readonly path: string;
  readonly version: string;
}

export interface Missing {
  /** What is not there. */
  readonly missing: string;
  readonly howToGet: string;
}

/** What the engine is started with, beyond its defaults and what keeps it quiet: part of every result. */
export interface Settings {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly preferences?: Readonly<Record<string, boolean | number | string>>;
}
