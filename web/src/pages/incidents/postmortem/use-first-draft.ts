import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listNotes } from '#src/incidents/actions-contract.ts';
import { type IncidentDetail, listIncidentTimeline } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useDetailWords } from '../timeline/detail-words.ts';
import { type Line, linesOf } from '../timeline/lines.ts';
import { useCauseWords, useSummaryWords } from '../use-cause-words.ts';
import type { Draft } from './draft.ts';
import { type DraftWords, escapeMarkdown, firstDraft, utcMoment } from './first-draft.ts';

/** The editor's initial content while nothing is stored; undefined while loading, {} if it cannot be loaded. */
export function useFirstDraft(orgId: string, incident: IncidentDetail, enabled: boolean): Draft | undefined {
  const params = { org_id: orgId, incident_id: incident.id };
  const timeline = useQuery({ ...read(listIncidentTimeline, { params, query: MAX_PAGE }), enabled });
  const notes = useQuery({ ...read(listNotes, { params, query: MAX_PAGE }), enabled });
  const words = useDraftWords();
  if (!enabled || timeline.isError || notes.isError) return {};
  if (timeline.isPending || notes.isPending) return undefined;
  return firstDraft(incident, linesOf(timeline.data, notes.data), words);
}

function useDraftWords(): DraftWords {
  const { t } = useTranslation();
  const formats = useFormats();
  const detailWords = useDetailWords();
  const words = useCauseWords();
  const summaryWords = useSummaryWords();
  const causeOf = ({ evidence, cause }: IncidentDetail) => (evidence === null ? cause : words(cause));
  const lasted = ({ started_at_unix: from, resolved_at_unix: to }: IncidentDetail) =>
    to === null ? null : formats.durationInWords(to - from);
  const utc = (unix: number) => `${utcMoment(unix)} UTC`;
  return {
    title(incident, name) {
      const duration = lasted(incident);
      const cause = incident.monitor_name === null ? '' : `: ${causeOf(incident)}`;
      return duration === null ? `${name}${cause}` : `${name}${cause} (${duration})`;
    },
    impact(incident, name) {
      if (incident.evidence === null) return '';
      const { down_regions, started_at_unix: from, resolved_at_unix: to } = incident;
      const facts = { name: escapeMarkdown(name), from: utc(from) };
      // A group and a heartbeat fail without a region that saw it.
      const seen = down_regions.length === 0 ? 'Alone' : 'Seen';
      const regions = formats.list(down_regions.map(escapeMarkdown));
      return to === null
        ? t(`postmortem.draft.impactOpen${seen}`, { ...facts, regions })
        : t(`postmortem.draft.impact${seen}`, { ...facts, regions, duration: lasted(incident), to: utc(to) });
    },
    facts(incident) {
      const { evidence, acknowledged_at_unix: acknowledged, resolved_at_unix: resolved } = incident;
      const facts: [string, string | null][] = [
        [
          t('postmortem.draft.what'),
          escapeMarkdown(incident.summary === '' ? causeOf(incident) : summaryWords(incident.summary)),
        ],
        [t('postmortem.draft.firstFailure'), evidence && utc(evidence.first_failure_at_unix)],
        [t('postmortem.draft.started'), utc(incident.started_at_unix)],
        [t('postmortem.draft.confirmed'), evidence && utc(evidence.triggered_at_unix)],
        [t('postmortem.draft.acknowledged'), acknowledged === null ? null : utc(acknowledged)],
        [t('postmortem.draft.resolved'), resolved === null ? null : utc(resolved)],
        [t('postmortem.draft.lasted'), lasted(incident)],
      ];
      return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
    },
    timeline: t('postmortem.draft.timeline'),
    line: (line) => lineWords(line),
    more: (count) => t('postmortem.draft.more', { count }),
  };

  function lineWords(line: Line): string | null {
    if (line.is === 'collapsed') return null;
    const who = line.is === 'note' ? line.note.author_name : (line.entry.actor_name ?? null);
    const what =
      line.is === 'note' ? t(`timeline.${line.note.kind}`) : t(`timeline.${line.kind}` as 'timeline.opened');
    const detail = line.is === 'note' ? line.note.body : detailWords(line.entry);
    const by = who === null ? what : `${what} · ${escapeMarkdown(who)}`;
    return detail === null ? by : `${by}: ${escapeMarkdown(detail)}`;
  }
}
