// The form of the `websocket` type.
import { WebsocketConfig, websocketDestination } from '#src/monitors/types/websocket/config.ts';
import { orEmpty, orNull, textOrNull } from '#web/pages/monitors/form/amounts.ts';
import { urlProblem } from '#web/pages/monitors/form/checks.ts';
import { conversationSection } from '#web/pages/monitors/form/conversation.ts';
import { type HeaderLine, readHeaders, writeHeaders } from '#web/pages/monitors/form/header-lines.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type WebsocketValues = Timing &
  IpFamily & { url: string; headers: HeaderLine[]; subprotocol: string; send: string; expect: string };

export const form = typeForm<WebsocketValues, WebsocketConfig>({
  type: 'websocket',
  schema: WebsocketConfig,
  start: { url: '' },
  read: (config) => ({
    url: config.url,
    headers: readHeaders(config.headers, config.secret_headers),
    subprotocol: orEmpty(config.subprotocol),
    send: orEmpty(config.send),
    expect: orEmpty(config.expect),
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: (values) => {
    const headers = writeHeaders(values.headers);
    return {
      url: values.url.trim(),
      headers: headers.map,
      secret_headers: headers.secret,
      subprotocol: textOrNull(values.subprotocol),
      send: orNull(values.send),
      expect: orNull(values.expect),
      ip_family: values.ip_family,
      ...writeTiming(values),
    };
  },
  destination: websocketDestination,
  problems: (values) => ({ url: urlProblem(values.url, ['ws', 'wss']), ...timingProblems(values) }),
  sections: [
    conversationSection(['send', 'expect']),
    {
      id: 'request',
      fields: ['headers', 'secret_headers', 'subprotocol'],
      title: (t) => t('fields.websocket.request'),
      summary: (t, _formats, { headers, subprotocol }) => {
        const said = subprotocol === '' ? [] : [subprotocol];
        if (headers.length > 0) said.push(t('form.headerCount', { count: headers.length }));
        return said.length === 0 ? t('fields.nothingSpecial') : said.join(' · ');
      },
    },
    timingSection(WebsocketConfig),
  ],
});
