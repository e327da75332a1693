/** Verified streaming runs BLAKE3's kernel: the addresses of its memory map that it uses. */
export { CV, CV_BYTES, CVS, secretsTo, SETS, STAGE, STAGE_BYTES } from '../blake3/map.ts';
