/** Of a backup, in characters: anyone with the file can try passphrases offline, for years. */
export const MIN_PASSPHRASE = 12;
