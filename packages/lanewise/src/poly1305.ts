/**
 * Poly1305, the one-time authenticator of RFC 8439 §2.5.
 * @module
 */
export { poly1305, type Poly1305Function, type Poly1305 } from './poly1305/mac.ts';
