// Passkeys: the WebAuthn ceremony between two calls of the sign-in library, and the list of existing passkeys.
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import { reauthenticate } from '#src/accounts/contract.ts';
import { type ApiError, fetchJson } from '#web/call.ts';
import { clearCache } from '#web/session.ts';
import { post, send } from '#web/write.ts';

export type Passkey = {
  id: string;
  name: string | null;
  createdAt: string | null;
  /** Whether a password manager or a cloud synchronizes it, so that it outlives the device. */
  backedUp: boolean;
};

/** Why a ceremony failed. */
export class PasskeyError extends Error {
  readonly kind: 'cancelled' | 'already_here' | 'wrong_address' | 'failed';

  constructor(kind: PasskeyError['kind'], cause: unknown) {
    super(kind, { cause });
    this.name = 'PasskeyError';
    this.kind = kind;
  }
}

/** Why passkeys cannot work on this page; null if they can. A passkey is bound to a host name, never to an IP address. */
export function passkeyObstacle(): 'insecure' | 'loopback' | 'address' | 'browser' | null {
  const { hostname } = window.location;
  if (!window.isSecureContext) return 'insecure';
  if (/^127(\.\d+){3}$|^\[::1\]$/.test(hostname)) return 'loopback';
  if (/^[\d.]+$|^\[/.test(hostname)) return 'address';
  return browserSupportsWebAuthn() ? null : 'browser';
}

const kindOf = (error: unknown): PasskeyError['kind'] => {
  const name = error instanceof Error ? error.name : '';
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'already_here';
    if (error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID') return 'wrong_address';
    if (error.code === 'ERROR_CEREMONY_ABORTED') return 'cancelled';
  }
  return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed';
};

async function ceremony<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new PasskeyError(kindOf(error), error);
  }
}

export const passkeysQuery = queryOptions<Passkey[], ApiError>({
  queryKey: ['passkeys'],
  queryFn: async () => (await fetchJson('GET', '/auth/passkey/list-user-passkeys')) as Passkey[],
});

/** Creates a passkey and stores it under a name. Throws PasskeyError or ApiError. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = (await fetchJson(
    'GET',
    '/auth/passkey/generate-register-options',
  )) as PublicKeyCredentialCreationOptionsJSON;
  const response = await ceremony(() => startRegistration({ optionsJSON }));
  await post('/auth/passkey/verify-registration', { response, name });
}

/** Renames a passkey. Throws ApiError. */
export async function renamePasskey(id: string, name: string): Promise<void> {
  await post('/auth/passkey/update-passkey', { id, name });
}

/** Removes a passkey; it can no longer sign in. Throws ApiError. */
export async function removePasskey(id: string): Promise<void> {
  await post('/auth/passkey/delete-passkey', { id });
}

async function authenticate(useBrowserAutofill: boolean, left?: AbortSignal): Promise<void> {
  const optionsJSON = (await fetchJson(
    'GET',
    '/auth/passkey/generate-authenticate-options',
  )) as PublicKeyCredentialRequestOptionsJSON;
  const unlessLeft = () => {
    if (left?.aborted) throw new PasskeyError('cancelled', left.reason);
  };
  unlessLeft();
  const response = await ceremony(() => startAuthentication({ optionsJSON, useBrowserAutofill }));
  unlessLeft();
  await post('/auth/passkey/verify-authentication', { response }, clearCache);
}

/** Confirms with a passkey that the same person is present. Throws PasskeyError or ApiError. */
export async function reauthenticateWithPasskey(): Promise<void> {
  const optionsJSON = (await fetchJson(
    'GET',
    '/auth/passkey/generate-authenticate-options',
  )) as PublicKeyCredentialRequestOptionsJSON;
  const passkey = await ceremony(() => startAuthentication({ optionsJSON }));
  await send(reauthenticate, { body: { passkey } });
}

/** Signs in with a passkey from the browser's prompt. Throws PasskeyError or ApiError. */
export async function signInWithPasskey(): Promise<void> {
  await authenticate(false);
}

/**
 * Offers passkeys among the suggestions of the e-mail field until one is chosen (true: signed in) or `left` is aborted.
 * Failures are silent, since the button beside the field reports them.
 */
export async function signInWithSuggestedPasskey(left: AbortSignal): Promise<boolean> {
  if (passkeyObstacle() !== null || !(await browserSupportsWebAuthnAutofill())) return false;
  left.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true });
  try {
    await authenticate(true, left);
    return true;
  } catch {
    return false;
  }
}
