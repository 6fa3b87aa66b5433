import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Client, ClientWithSecret } from '@telecine/client';
import Ban from 'lucide-react/icons/ban';
import KeyRound from 'lucide-react/icons/key-round';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import { useId, useState } from 'react';
import { client } from '../../app/client.ts';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Floating } from '../../ui/floating.tsx';
import { formatFullMoment } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Status } from '../../ui/status.tsx';
import { type Notice, UndoNotice } from '../../ui/undo-notice.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { ChangeClientDialog } from './change-client-dialog.tsx';
import { limitsInWords } from './client-limits.ts';
import { clientsQuery } from './clients-query.ts';
import { LastUse } from './last-use.tsx';
import { WHEN_LIMITS_APPLY } from './limits-dialog.tsx';
import { NewClientDialog } from './new-client-dialog.tsx';
import { scopesText } from './scopes-text.ts';
import { TokenCommand } from './token-command.tsx';

/** The secret of a client that is shown now. */
interface Shown {
  readonly clientId: string;
  readonly secret: string;
  readonly scopes: Client['scopes'];
  /** When the secret before it stops working. undefined: there was none, or it does not work. */
  readonly previousEndsAt?: string | undefined;
}

/** From this number on, clients can be searched by their names. */
const MANY = 20;

export function ClientsPage() {
  // Also because clients are used meanwhile.
  const clients = useQuery({ ...clientsQuery, ...pollEvery(30) });
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<Client>();
  const [secret, setSecret] = useState<Shown>();
  const [notice, setNotice] = useState<Notice>();
  const [hasRevoked, setHasRevoked] = useState(false);
  const [search, setSearch] = useState('');
  const text = search.trim().toLowerCase();
  const reload = (): void => void queries.invalidateQueries({ queryKey: clientsQuery.queryKey });
  const showSecret = ({ clientId, clientSecret, scopes, previousSecretExpiresAt }: ClientWithSecret): void => {
    reload();
    if (clientSecret !== undefined)
      setSecret({ clientId, secret: clientSecret, scopes, previousEndsAt: previousSecretExpiresAt });
  };
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Clients</PageHeading>
        <div className={styles.actions}>
          {(clients.data?.clients.length ?? 0) >= MANY && (
            <input
              type="search"
              aria-label="Search clients"
              placeholder="Search clients"
              aria-keyshortcuts="/"
              className={styles.search}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          )}
          <div className={styles.checks}>
            <label>
              <input
                type="checkbox"
                checked={hasRevoked}
                onChange={({ currentTarget }) => setHasRevoked(currentTarget.checked)}
              />
              Show revoked
            </label>
          </div>
          <Button variant="primary" disabled={clients.data === undefined} onClick={() => setAdding(true)}>
            <Plus /> Add a client
          </Button>
        </div>
      </header>
      <QueryState query={clients} columns={['Client', 'State', 'Scopes', 'Folder', 'Last used', 'Added']}>
        {({ clients: all }) => (
          <ClientsTable
            clients={all.filter(
              ({ clientId, revokedAt }) =>
                (hasRevoked || revokedAt === undefined) && (all.length < MANY || clientId.includes(text)),
            )}
            onChange={setChanged}
            onSecret={showSecret}
            onRevoked={reload}
          />
        )}
      </QueryState>
      {isAdding && (
        <NewClientDialog
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            showSecret(added);
          }}
        />
      )}
      {changed !== undefined && (
        <ChangeClientDialog
          client={changed}
          onClose={() => setChanged(undefined)}
          onChanged={(hasOtherLimits) => {
            setNotice(hasOtherLimits ? { text: `Changed ${changed.clientId}. ${WHEN_LIMITS_APPLY}` } : undefined);
            setChanged(undefined);
            reload();
          }}
        />
      )}
      <Floating>
        <UndoNotice notice={notice} onClose={() => setNotice(undefined)} />
      </Floating>
      {secret !== undefined && (
        <SecretDialog
          title={`The secret of ${secret.clientId}`}
          secret={secret.secret}
          onClose={() => setSecret(undefined)}
          use={<TokenCommand clientId={secret.clientId} maySubmit={mayDo(secret, 'jobs:write')} />}
        >
          <p>Store the secret now. The service keeps only its hash and cannot show it again.</p>
          {secret.previousEndsAt !== undefined && (
            <p>The old secret works until {formatFullMoment(secret.previousEndsAt)}.</p>
          )}
        </SecretDialog>
      )}
    </>
  );
}

function ClientsTable({
  clients,
  onChange,
  onSecret,
  onRevoked,
}: {
  readonly clients: readonly Client[];
  readonly onChange: (changed: Client) => void;
  readonly onSecret: (rotated: ClientWithSecret) => void;
  readonly onRevoked: () => void;
}) {
  return (
    <DataTable
      label="Clients"
      rows={clients}
      keyOf={({ clientId }) => clientId}
      empty="There are no such clients."
      columns={[
        {
          name: 'Client',
          cell: ({ clientId }) => (
            <Link to="/jobs" search={{ client: clientId }} className={styles.name}>
              {clientId}
            </Link>
          ),
        },
        {
          name: 'State',
          isBesideName: true,
          cell: ({ revokedAt, previousSecretExpiresAt }) =>
            revokedAt === undefined ? (
              <>
                <Status tone="good">Active</Status>
                {previousSecretExpiresAt !== undefined && (
                  <div className={styles.soft}>
                    old secret ends <Moment at={previousSecretExpiresAt} />
                  </div>
                )}
              </>
            ) : (
              <Status tone="soft">
                Revoked <Moment at={revokedAt} />
              </Status>
            ),
        },
        {
          name: 'Scopes',
          cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopesText(scopes)}</span>,
        },
        {
          name: 'Folder',
          cell: ({ root }) =>
            root === '.' ? (
              'all'
            ) : (
              <span className={styles.name}>
                <PathText path={root} />
              </span>
            ),
        },
        ...(clients.some(({ limits = {} }) => Object.keys(limits).length > 0)
          ? [{ name: 'Own limits', cell: ({ limits = {} }: Client) => limitsInWords(limits) || 'the defaults' }]
          : []),
        { name: 'Last used', cell: ({ lastUsedAt }) => <LastUse at={lastUsedAt} /> },
        { name: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        {
          name: '',
          isMenu: true,
          cell: (one) =>
            one.revokedAt === undefined && (
              <RowActions client={one} onChange={onChange} onSecret={onSecret} onRevoked={onRevoked} />
            ),
        },
      ]}
    />
  );
}

/** The times for which the old secret can work after a rotation. */
const GRACES = [
  { hours: 0, name: '0 hours (ends at once)' },
  { hours: 1, name: '1 hour' },
  { hours: 24, name: '24 hours' },
  { hours: 168, name: '7 days' },
] as const;

const USUAL_GRACE: number = 24;

function RowActions({
  client: { clientId, externalSubject, previousSecretExpiresAt },
  client: one,
  onChange,
  onSecret,
  onRevoked,
}: {
  readonly client: Client;
  readonly onChange: (changed: Client) => void;
  readonly onSecret: (rotated: ClientWithSecret) => void;
  readonly onRevoked: () => void;
}) {
  const { data: session } = useSession();
  const [graceHours, setGraceHours] = useState(USUAL_GRACE);
  const graceField = useId();
  const isOwn = session?.clientId === clientId;
  return (
    <RowMenu label={`Actions for ${clientId}`}>
      <Button aria-label={`Change ${clientId}`} onClick={() => onChange(one)}>
        <Pencil /> Change…
      </Button>
      {externalSubject === undefined && (
        <ConfirmButton
          label="New secret…"
          confirmLabel="New secret"
          icon={<KeyRound />}
          name={`New secret for ${clientId}`}
          title={`Give ${clientId} a new secret?`}
          variant="plain"
          action={() => client.rotateClient(clientId, { graceHours })}
          onDone={onSecret}
        >
          <p>
            <label htmlFor={graceField}>The old secret works for</label>{' '}
            <select
              id={graceField}
              value={graceHours}
              onChange={({ currentTarget }) => setGraceHours(Number(currentTarget.value))}
            >
              {GRACES.map(({ hours, name }) => (
                <option key={hours} value={hours}>
                  {name}
                </option>
              ))}
            </select>
          </p>
          <p>
            {graceHours === 0
              ? `${previousSecretExpiresAt === undefined ? 'The old secret' : 'Both secrets that work now'} and all tokens, sessions and signed links of the client stop working within a second. Shared links of its files go on.`
              : 'Then it stops working, with all earlier tokens, sessions and signed links of the client. Shared links of its files go on. If the secret has leaked, choose "0 hours".'}
          </p>
          {previousSecretExpiresAt !== undefined && graceHours !== 0 && (
            <p>The client has two secrets now. The older of them stops working at once.</p>
          )}
          {isOwn && (
            <p>
              You are signed in as this client, so you must sign in again with the new secret
              {graceHours === 0 ? '' : ' after this time'}.
            </p>
          )}
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Revoke…"
        confirmLabel="Revoke"
        icon={<Ban />}
        name={`Revoke ${clientId}`}
        title={`Revoke ${clientId} permanently?`}
        action={() => client.revokeClient(clientId)}
        onDone={onRevoked}
      >
        <p>
          Its secret, tokens, sessions and links stop working within a second, and its jobs are cancelled. Its files and
          the list of its jobs remain, and no other client can have its name.
        </p>
        {isOwn && <p>You are signed in as this client, so you will be signed out.</p>}
        <p>
          What the client uses:{' '}
          <Link to="/operate/usage" search={{ client: clientId }}>
            usage of {clientId}
          </Link>
          .
        </p>
      </ConfirmButton>
    </RowMenu>
  );
}
