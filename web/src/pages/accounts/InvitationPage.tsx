import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lookUpInvitation } from '#src/members/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { ApiError, call } from '#web/call.ts';
import { sessionQuery } from '#web/session.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Frame } from './Frame.tsx';
import { AcceptSignedIn } from './invitation/AcceptSignedIn.tsx';
import { AcceptWithNewAccount } from './invitation/AcceptWithNewAccount.tsx';
import { InvitationCard } from './invitation/InvitationCard.tsx';
import { SignInToAccept } from './invitation/SignInToAccept.tsx';
import { WrongAccount } from './invitation/WrongAccount.tsx';
import { useLinkToken } from './link-token.ts';

const invitationQuery = (token: string) =>
  queryOptions<ReplyOf<typeof lookUpInvitation>, ApiError>({
    queryKey: [lookUpInvitation.id, token],
    queryFn: () => call(lookUpInvitation, { body: { token } }),
    // Each read counts against the rate limit for guesses.
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
  });

/** The page behind the link of an invitation: shows it, and how to accept it. */
export default function InvitationPage() {
  const { t } = useTranslation();
  const { token, forget } = useLinkToken('invitation');
  // Signing out clears the cache, so everything is read again.
  const [round, setRound] = useState(0);
  if (token === null) return <Void title={t('invitation.missingTitle')} text={t('invitation.missing')} />;
  return (
    <Opened
      key={`${round} ${token}`}
      token={token}
      onSpent={forget}
      onSignedOut={() => setRound(round + 1)}
    />
  );
}

type Props = { token: string; onSpent: () => void; onSignedOut: () => void };

function Opened({ token, onSpent, onSignedOut }: Props) {
  const { t } = useTranslation();
  const invitation = useQuery(invitationQuery(token));
  const session = useQuery(sessionQuery);

  if (invitation.isPending || session.isPending) {
    return (
      <Frame title={t('invitation.title')}>
        <LoadingRows count={3} />
      </Frame>
    );
  }
  if (invitation.isError) {
    if (invitation.error instanceof ApiError && invitation.error.status === 404)
      return <Void title={t('invitation.voidTitle')} text={t('invitation.void')} onLeave={onSpent} />;
    return (
      <Frame title={t('invitation.title')}>
        <Failure error={invitation.error} retry={invitation.refetch} />
      </Frame>
    );
  }
  if (session.isError) {
    return (
      <Frame title={t('invitation.title')}>
        <Failure error={session.error} retry={session.refetch} />
      </Frame>
    );
  }

  const user = session.data?.user;
  const mine = user?.email.toLowerCase() === invitation.data.email.toLowerCase();
  const common = { token, invitation: invitation.data, onSpent };
  return (
    <Frame title={t('invitation.titleOf', { organization: invitation.data.organization_name })}>
      <InvitationCard invitation={invitation.data} />
      {user !== undefined && mine && invitation.data.has_account ? (
        <AcceptSignedIn {...common} name={user.name} />
      ) : null}
      {user !== undefined && !mine ? (
        <WrongAccount user={user} email={invitation.data.email} onSignedOut={onSignedOut} />
      ) : null}
      {user === undefined && invitation.data.has_account ? (
        <SignInToAccept email={invitation.data.email} />
      ) : null}
      {/* Also for a session whose address is unverified: the link verifies it, the session does not. */}
      {(user === undefined || mine) && !invitation.data.has_account ? (
        <AcceptWithNewAccount {...common} />
      ) : null}
    </Frame>
  );
}

function Void({ title, text, onLeave }: { title: string; text: string; onLeave?: () => void }) {
  const { t } = useTranslation();
  return (
    <Frame title={title}>
      <p>{text}</p>
      <Button component={Link} to="/" variant="default" onClick={onLeave}>
        {t('invitation.toDashboard')}
      </Button>
    </Frame>
  );
}
