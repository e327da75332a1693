/** Passkeys (WebAuthn with the PRF extension), in the format of typage and age-plugin-fido2prf. */
import { webauthn } from '@lanewise/age';
import { Advice } from './explain.ts';

/** Why passkeys cannot be used here; undefined if they can, as far as a page knows. */
export function whyNoPasskeys(): string | undefined {
  if (!isSecureContext) return 'Passkeys need an https:// address.';
  if (typeof PublicKeyCredential !== 'function') return 'This browser has no passkeys. Use a passphrase or age keys.';
  if (/^[\d.]+$|^\[/.test(location.hostname))
    return 'Passkeys need an address with a name: open the page at localhost or at a domain, not at a number.';
  return undefined;
}

function checkIdentity(identity: string): { identity?: string } {
  const reason = whyNoPasskeys();
  if (reason !== undefined) throw new Advice(reason);
  if (identity === '') return {};
  if (!identity.startsWith('AGE-PLUGIN-FIDO2PRF-1'))
    throw new Advice(
      'The identity of a security key starts with AGE-PLUGIN-FIDO2PRF-1. Leave the field empty for a passkey.',
      'passkey-identity',
    );
  return { identity };
}

function withAdvice<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (error instanceof Advice) throw error;
    throw new Advice(
      'The identity of the security key has a typing mistake or is cut off. Copy it again.',
      'passkey-identity',
    );
  }
}

export const passkeyRecipient = (identity: string) =>
  withAdvice(() => new webauthn.WebAuthnRecipient(checkIdentity(identity)));

export const passkeyIdentity = (identity: string) =>
  withAdvice(() => new webauthn.WebAuthnIdentity(checkIdentity(identity)));

/** Makes a passkey. The promise is of its identity, which only security keys need later. */
export function makePasskey(keyName: string, isSecurityKey: boolean): Promise<string> {
  const reason = whyNoPasskeys();
  if (reason !== undefined) return Promise.reject(new Advice(reason));
  return webauthn.createCredential({ keyName, type: isSecurityKey ? 'security-key' : 'passkey' });
}
