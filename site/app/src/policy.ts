/** The headers that protect the page. The page itself carries the policy, too, for servers that send no headers. */

const COMMON = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  // The answer to a download is loaded in a frame: src/outputs/download.ts.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lanewise',
  // Browsers that do not know it let WebRTC be.
  "webrtc 'block'",
];

/**
 * The policy in the page. It has no `connect-src`, so that scripts can make no request by `fetch`, beacons or sockets. No policy can forbid
 * that a page leads elsewhere: a link, `location` and `window.open` still carry an address out, and images of the own server one to it.
 */
export const PAGE_POLICY = COMMON.join('; ');

/** The headers that a server should send with every file, and the service worker does. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'self'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The same for the service worker, which fetches the files of the app once. */
export const SERVICE_WORKER_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'content-security-policy': "default-src 'none'; connect-src 'self'",
};
