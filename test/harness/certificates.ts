// Certificates for tests, made on the spot: a test authority, and leaves with any defect.
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonGeneralNames,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** PEM of a certificate and its private key. */
export type Issued = { cert: string; key: string };

export type LeafOptions = {
  /** DNS names and IP addresses it is for. */
  names?: readonly string[];
  /** Days from now; negative ones are past. */
  fromDays?: number;
  untilDays?: number;
};

export type AuthorityOptions = Pick<LeafOptions, 'fromDays' | 'untilDays'>;

export type Authority = {
  cert: string;
  /** The leaf, followed by the intermediates between it and the root, as a server sends them. */
  issue(options?: LeafOptions): Promise<Issued>;
  /** An authority that this one vouches for. */
  intermediate(name: string, options?: AuthorityOptions): Promise<Authority>;
};

/** A certificate authority; its certificates are for 127.0.0.1 and localhost by default. */
export async function authority(name = 'Test Authority'): Promise<Authority> {
  const keys = await newKeys();
  const root = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: inDays(-400),
    notAfter: inDays(400),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return authorityWith(root, keys, '');
}

/** `sent`: the certificates that a server sends beside a leaf of this authority. */
function authorityWith(own: X509Certificate, keys: webcrypto.CryptoKeyPair, sent: string): Authority {
  const vouched = async (subject: string, options: AuthorityOptions, extensions: Extension[]) => {
    const subjectKeys = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      subject: `CN=${subject}`,
      issuer: own.subject,
      publicKey: subjectKeys.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      notBefore: inDays(options.fromDays ?? -1),
      notAfter: inDays(options.untilDays ?? 90),
      extensions,
    });
    return { certificate, keys: subjectKeys };
  };
  return {
    cert: own.toString('pem'),
    async issue(options = {}) {
      const subject = options.names?.[0] ?? 'localhost';
      const leaf = await vouched(subject, options, leafExtensions(options.names));
      return { cert: `${leaf.certificate.toString('pem')}\n${sent}`, key: await privatePem(leaf.keys) };
    },
    async intermediate(name, options = {}) {
      const made = await vouched(name, options, [new BasicConstraintsExtension(true, undefined, true)]);
      return authorityWith(made.certificate, made.keys, `${made.certificate.toString('pem')}\n${sent}`);
    },
  };
}

/** A self-signed certificate. */
export async function selfSigned(options: LeafOptions = {}): Promise<Issued> {
  const keys = await newKeys();
  const leaf = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: inDays(options.fromDays ?? -1),
    notAfter: inDays(options.untilDays ?? 90),
    extensions: leafExtensions(options.names),
  });
  return { cert: leaf.toString('pem'), key: await privatePem(keys) };
}

/** The expiry of a certificate, as the first 10 characters of its ISO date. */
export function endOf({ cert }: Issued): string {
  return new X509Certificate(cert).notAfter.toISOString().slice(0, 10);
}

function leafExtensions(names: readonly string[] = ['127.0.0.1', 'localhost']) {
  const entries: JsonGeneralNames = names.map((value) => ({
    type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns',
    value,
  }));
  return [
    new SubjectAlternativeNameExtension(entries),
    new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
  ];
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}

async function privatePem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}
