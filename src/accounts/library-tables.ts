// The sign-in library's models in our tables: what each model and each of its fields is called in the database.
import { browserLanguage } from '../platform/http/current-request.ts';

const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export const SESSIONS = {
  modelName: 'sessions',
  fields: {
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    ...timestamps,
  },
  additionalFields: {
    authenticatedAt: { type: 'date', input: false, required: false, fieldName: 'authenticated_at' },
  },
} as const;

export const USERS = {
  modelName: 'users',
  fields: { emailVerified: 'email_verified', ...timestamps },
  additionalFields: {
    operator: { type: 'boolean', input: false, defaultValue: false },
    language: { type: 'string', input: false, required: false, defaultValue: browserLanguage },
  },
} as const;

export const ACCOUNTS = {
  modelName: 'accounts',
  fields: {
    userId: 'user_id',
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...timestamps,
  },
} as const;

export const VERIFICATIONS = {
  modelName: 'verifications',
  fields: { expiresAt: 'expires_at', ...timestamps },
} as const;

export const TWO_FACTORS = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
} as const;

export const PASSKEYS = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      userId: 'user_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
} as const;

export const ID_PREFIX = {
  user: 'usr',
  session: 'ses',
  account: 'acc',
  verification: 'ver',
  twoFactor: 'tfa',
  passkey: 'psk',
} as const;
