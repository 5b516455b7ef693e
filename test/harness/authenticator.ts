// A passkey's authenticator in software (WebAuthn, section 6): anybody with an account of ours could write one.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Client } from './client.ts';

type Creation = { challenge: string; rp: { id: string }; user: { id: string } };
type Request = { challenge: string; rpId: string };

export type Authenticator = {
  /** Adds its key to the signed-in account. */
  addTo: (client: Client) => Promise<void>;
  /** Its answer to a challenge of the server: the credential that the browser would send. */
  answer: (client: Client) => Promise<object>;
  /** Signs in with its key; returns the status of the answer. */
  signIn: (client: Client) => Promise<number>;
};

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_KEY = 0x40;
const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** `origin`: of the installation, as its BASE_URL has it. */
export function makeAuthenticator(origin: string): Authenticator {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const [x, y] = [Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.y ?? '', 'base64url')];
  let userHandle = '';

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const heading = (rpId: string, flags: number) =>
    Buffer.concat([sha256(rpId), Buffer.of(flags, 0, 0, 0, 0)]);
  const credential = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    async addTo(client) {
      const options = await client.ok<Creation>('GET', '/auth/passkey/generate-register-options');
      userHandle = options.user.id;
      // COSE_Key {1: 2, 3: -7, -1: 1, -2: x, -3: y}: an ES256 key.
      const cose = Buffer.concat([hex('a5010203262001215820'), x, hex('225820'), y]);
      const authData = Buffer.concat([
        heading(options.rp.id, USER_PRESENT_AND_VERIFIED | HAS_KEY),
        Buffer.alloc(16),
        Buffer.of(0, id.length),
        id,
        cose,
      ]);
      // CBOR {"fmt": "none", "attStmt": {}, "authData": bytes}.
      const attestation = Buffer.concat([
        hex('a363666d74646e6f6e656761747453746d74a0686175746844617461'),
        Buffer.of(0x58, authData.length),
        authData,
      ]);
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge)),
        attestationObject: base64url(attestation),
      };
      const body = { response: credential(response) };
      const { status } = await client.send('POST', '/auth/passkey/verify-registration', body, { origin });
      if (status !== 200) throw new Error(`the passkey was refused with ${status}`);
    },

    async answer(client) {
      const options = await client.ok<Request>('GET', '/auth/passkey/generate-authenticate-options');
      const authenticatorData = heading(options.rpId, USER_PRESENT_AND_VERIFIED);
      const data = clientData('webauthn.get', options.challenge);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      return credential({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle,
      });
    },

    async signIn(client) {
      const body = { response: await this.answer(client) };
      return (await client.send('POST', '/auth/passkey/verify-authentication', body, { origin })).status;
    },
  };
}

const hex = (digits: string) => Buffer.from(digits, 'hex');
