// Commands that send a job's pings. No shell needs the address quoted, but suffixes may need quotes.

/** `-f` and `-m`: the ping cannot hang the job, and an error shows in its log. */
const CURL = 'curl -fsS -m 10 --retry 3 -o /dev/null';

/** `when` is five fields of a crontab. */
export const SNIPPETS = {
  crontab: (url: string, when: string) => `${when} /usr/local/bin/backup.sh && ${CURL} ${url}`,
  exitCode: (url: string, when: string) => `${when} /usr/local/bin/backup.sh; ${CURL} ${url}/$?`,
  runTime: (url: string) =>
    [
      '#!/bin/sh',
      `${CURL} "${url}/start?rid=$$"`,
      '/usr/local/bin/backup.sh',
      `${CURL} "${url}/$??rid=$$"`,
    ].join('\n'),
  output: (url: string) =>
    [
      '#!/bin/sh',
      'log=$(/usr/local/bin/backup.sh 2>&1); code=$?',
      `printf %s "$log" | tail -c 10000 | ${CURL} --data-binary @- ${url}/$code`,
    ].join('\n'),
  curl: (url: string) => `${CURL} ${url}`,
  powershell: (url: string) =>
    [
      'C:\\Jobs\\Backup.ps1',
      `if ($?) { Invoke-RestMethod -Uri "${url}" -TimeoutSec 10 -MaximumRetryCount 3 | Out-Null }`,
      `else { Invoke-RestMethod -Uri "${url}/fail" -TimeoutSec 10 | Out-Null }`,
    ].join('\n'),
} as const satisfies Record<string, (url: string, when: string) => string>;

export type SnippetKind = keyof typeof SNIPPETS;
