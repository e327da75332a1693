/** The colours of data, which colour-blind people can tell apart on light and on dark screens. */

/** The palette of Okabe and Ito; its black is grey here, its yellow darker. */
const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#b5578f', '#56a0d8', '#b98800', '#8a5a2b', '#555555'];
const DARK = ['#4aa8e8', '#f08a3c', '#2fc99a', '#e08bbf', '#8cc8f5', '#e3b73c', '#c79a6b', '#b0b0b0'];
const variables = (colours: readonly string[]): string => colours.map((colour, i) => `--c${i}:${colour}`).join(';');
/** Declarations of the colours of data, so that one drawing serves light and dark screens. */
export const COLOURS = { light: variables(LIGHT), dark: variables(DARK) } as const;
/** The same for a style sheet of a page. */
export const COLOUR_RULES = `:root{${COLOURS.light}}@media(prefers-color-scheme:dark){:root{${COLOURS.dark}}}`;

/** After the end of the palette it starts again, with dashed lines. */
export const colourOf = (index: number): string => `var(--c${index % LIGHT.length})`;
export const isDashed = (index: number): boolean => index >= LIGHT.length;
/** The stroke of a line. */
export const strokeOf = (index: number, dashed = isDashed(index)) => ({
  stroke: colourOf(index),
  ...(dashed && { strokeDasharray: '5 3' }),
});
