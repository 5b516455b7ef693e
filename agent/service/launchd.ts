// The property list for launchd, with which the agent runs on macOS.
import { NODE_FLAGS } from './node-flags.ts';
import type { ServiceProgram } from './systemd.ts';

export const LAUNCHD_LABEL = 'tocsin-agent';

/** `userName`: the account of a system daemon; absent: an agent of the user who loads it. */
export function propertyList(
  { node, file, dataDir }: ServiceProgram,
  { log, userName }: { log: string; userName?: string | undefined },
): string {
  const words = [node, ...NODE_FLAGS, file, '--service', '--data-dir', dataDir];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCHD_LABEL}</string>${
    userName === undefined ? '' : `\n  <key>UserName</key>\n  <string>${escaped(userName)}</string>`
  }
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escaped(word)}</string>`).join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>15</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
</dict>
</plist>
`;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
