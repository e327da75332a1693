/** Modules of wa-sqlite that have no types. */
declare module '@journeyapps/wa-sqlite/src/FacadeVFS.js' {
  export const FacadeVFS: unknown;
}
