/** Use without a network: registers the service worker, and offers new versions. */
import type { Activate } from './download-messages.ts';
import { button, part, say } from './elements.ts';
import { scriptUrl } from './workers.ts';

function offer(registration: ServiceWorkerRegistration): void {
  part('update').hidden = false;
  button('reload').onclick = () => registration.waiting?.postMessage({ kind: 'activate' } satisfies Activate);
}

/**
 * Starts it, and says on the page whether it worked.
 *
 * @param isIdle - Whether nothing would be lost if the page were loaded again.
 */
export async function workOffline(isIdle: () => boolean): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) {
    say('offline', 'This page works only while its server is there: use without a network needs an https:// address.');
    return;
  }
  const { serviceWorker } = navigator;
  const wasControlled = serviceWorker.controller !== null;
  let isReplaced = false;
  const isReady = (): void => {
    if (!isReplaced) say('offline', 'Ready for use without a network.');
  };
  // A new version that the person accepted, maybe on another page, has taken over; this page is to be of the same version.
  if (wasControlled)
    serviceWorker.addEventListener('controllerchange', () => {
      if (isIdle()) location.reload();
      else {
        isReplaced = true;
        // Its workers would be of the new version, so this page begins nothing any more.
        button('start').disabled = true;
        say('offline', 'A new version runs. Save your results, then load this page again.');
      }
    });
  try {
    const registration = await serviceWorker.register(scriptUrl('service-worker.js'), { updateViaCache: 'none' });
    if (registration.waiting) offer(registration);
    registration.addEventListener('updatefound', () => {
      const { installing } = registration;
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'installed' && serviceWorker.controller) offer(registration);
      });
    });
    await serviceWorker.ready;
    isReady();
  } catch {
    if (wasControlled) isReady();
    else say('offline', 'The page could not be stored for use without a network.');
  }
}
