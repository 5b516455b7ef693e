import { ActionIcon, Button, Select, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ROLES } from '#src/domain/names.ts';
import { type Member, updateMember } from '#src/members/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { type Role, useMyRole } from '#web/shell/my-role.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './MemberTable.module.css';
import { assignableRoles, isLower, mayChange } from './role-rights.ts';

type Props = {
  member: Member;
  isMe: boolean;
  isOnlyOwner: boolean;
  onRemove: () => void;
};

/** One member; role and removal are offered only if the server would allow them. */
export function MemberRow({ member, isMe, isOnlyOwner, onRemove }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mine = useMyRole();
  const { name } = member;
  const twoFactor = member.two_factor_enabled ? (
    <span className={styles.secured}>
      <IconShieldCheck size={15} stroke={1.8} aria-hidden="true" />
      {t('members.twoFactorOn')}
    </span>
  ) : (
    <span className={styles.quiet}>{t('members.twoFactorOff')}</span>
  );
  return (
    <tr className={styles.row}>
      <td className={styles.person}>
        <span className={styles.name}>
          <bdi>{name}</bdi>
          {isMe ? <span className={styles.you}>{t('members.you')}</span> : null}
        </span>
        <span className={styles.email}>{member.email}</span>
        <span className={styles.narrow}>
          {t('members.twoFactor')}:{' '}
          {t(member.two_factor_enabled ? 'members.twoFactorOn' : 'members.twoFactorOff')}
        </span>
      </td>
      <td className={styles.choose}>
        <RoleChoice member={member} isMe={isMe} isOnlyOwner={isOnlyOwner} />
      </td>
      <td className={styles.wide}>{twoFactor}</td>
      <td className={`${styles.wide} ${styles.quiet}`}>
        <time
          dateTime={new Date(member.joined_at_unix * 1_000).toISOString()}
          title={formats.full(member.joined_at_unix)}
        >
          {formats.date(member.joined_at_unix)}
        </time>
      </td>
      <td className={styles.end}>
        {isMe ? (
          <Button
            size="xs"
            variant="default"
            disabled={isOnlyOwner}
            title={isOnlyOwner ? t('settings.leave.lastOwner') : undefined}
            onClick={onRemove}
          >
            {t('members.leave')}
          </Button>
        ) : mayChange(mine, member.role) ? (
          <Tooltip label={t('members.remove', { name })}>
            <ActionIcon aria-label={t('members.remove', { name })} onClick={onRemove}>
              <IconTrash size={17} />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </td>
    </tr>
  );
}

function RoleChoice({ member, isMe, isOnlyOwner }: Omit<Props, 'onRemove'>) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mine = useMyRole();
  const write = useWrite({ show: inNote });
  const [lowering, setLowering] = useState<Role | null>(null);
  const current = ROLES.find((role) => role === member.role) ?? 'member';

  const change = (role: Role) =>
    send(updateMember, { params: { org_id: orgId, user_id: member.user_id }, body: { role } }, () =>
      notifications.show({
        message: t('members.roleChanged', { name: member.name, role: t(`roles.${role}`) }),
      }),
    );

  const choices = assignableRoles(mine);
  if (!mayChange(mine, member.role) || isOnlyOwner) {
    const why = isOnlyOwner ? t('members.onlyOwner') : mine === 'admin' ? t('members.above') : undefined;
    return (
      <span className={choices.length === 0 ? undefined : styles.role} title={why}>
        {t(`roles.${current}`)}
      </span>
    );
  }
  return (
    <>
      <Select
        className={styles.choice}
        aria-label={t('members.roleOf', { name: member.name })}
        size="xs"
        allowDeselect={false}
        disabled={write.busy}
        value={current}
        data={choices.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
        onChange={(value) => {
          const role = choices.find((each) => each === value);
          if (role === undefined || role === current) return;
          if (isMe && isLower(current, role)) setLowering(role);
          else void write.run(() => change(role));
        }}
      />
      <Confirm
        opened={lowering !== null}
        title={t('members.lowerSelf.title')}
        text={t('members.lowerSelf.text', { role: lowering === null ? '' : t(`roles.${lowering}`) })}
        confirm={t('members.lowerSelf.confirm')}
        onConfirm={async () => {
          if (lowering !== null) await change(lowering);
        }}
        onClose={() => setLowering(null)}
      />
    </>
  );
}
