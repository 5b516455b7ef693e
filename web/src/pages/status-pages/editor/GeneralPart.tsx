import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { slugFrom } from '#src/domain/slug.ts';
import { SHOWN_ZONES, zoneOptions } from '#web/pages/on-call/zones.ts';
import styles from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { pageAddress } from '../page-access.ts';
import { HeaderLinks } from './HeaderLinks.tsx';
import type { Editor } from './use-page-draft.ts';

/** The page's name, address, header, and the incidents that it shows automatically. */
export function GeneralPart({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const { change, problems, tried, write, detail } = editor;
  const { settings } = editor.draft;
  const slug = slugFrom(settings.slug);
  return (
    <>
      <Panel title={t('statusPages.general.title')}>
        <div className={styles.stack}>
          <TextInput
            label={t('statusPages.name')}
            maxLength={200}
            value={settings.name}
            error={tried && problems.name ? t('statusPages.nameNeeded') : write.at('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('statusPages.slug')}
            description={
              <>
                <span className="mono">{pageAddress(slug)}</span>
                {slug === detail.page.slug || slug === '' ? null : (
                  <>
                    <br />
                    {t('statusPages.general.slugChanges')}
                  </>
                )}
              </>
            }
            classNames={{ input: 'mono' }}
            spellCheck={false}
            autoCapitalize="none"
            maxLength={200}
            value={settings.slug}
            error={tried && problems.slug ? t('statusPages.refused.empty_slug') : write.at('slug')}
            onChange={(event) => change({ slug: event.currentTarget.value })}
          />
          <TextInput
            label={t('statusPages.general.headline')}
            description={t('statusPages.general.headlineHint')}
            maxLength={200}
            value={settings.headline}
            error={write.at('headline')}
            onChange={(event) => change({ headline: event.currentTarget.value })}
          />
          <Textarea
            label={t('statusPages.general.description')}
            description={t('statusPages.general.descriptionHint')}
            autosize
            minRows={3}
            maxRows={14}
            maxLength={20_000}
            value={settings.description}
            error={write.at('description')}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
          <Select
            label={t('statusPages.general.zone')}
            description={t('statusPages.general.zoneHint')}
            searchable
            limit={SHOWN_ZONES}
            allowDeselect={false}
            nothingFoundMessage={t('shell.nothingFound')}
            data={zoneOptions(settings.timezone)}
            value={settings.timezone}
            error={write.at('timezone')}
            onChange={(timezone) => (timezone === null ? undefined : change({ timezone }))}
          />
        </div>
      </Panel>
      <Panel title={t('statusPages.links.title')}>
        <HeaderLinks editor={editor} />
      </Panel>
      <Panel title={t('incidents.title')}>
        <Switch
          label={t('statusPages.general.autoLink')}
          description={t(
            settings.autoLinks ? 'statusPages.general.autoLinkOn' : 'statusPages.general.autoLinkOff',
          )}
          checked={settings.autoLinks}
          onChange={(event) => change({ autoLinks: event.currentTarget.checked })}
        />
      </Panel>
    </>
  );
}
