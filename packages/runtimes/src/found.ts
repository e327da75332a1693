/** A program that was looked for on this machine, and the settings that it is started with. */
export interface Found {
  readonly missing?: undefined;
  readonly path: string;
  readonly version: string;
}

export interface Missing {
  /** The missing program. */
  readonly missing: string;
  readonly howToGet: string;
}

/** The engine's arguments, except those that keep it quiet; they are part of every result. */
export interface Settings {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly preferences?: Readonly<Record<string, boolean | number | string>>;
}
