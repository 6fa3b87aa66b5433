import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { clientsQuery } from '../clients/clients-query.ts';
import operateStyles from '../operate-page.module.css';
import { AllClients } from './all-clients.tsx';
import { ClientQuotas } from './client-quotas.tsx';
import { LargestFiles } from './largest-files.tsx';
import styles from './usage-page.module.css';

/** What clients use of the storage and of their quotas: all clients for administrators, or one. */
export function UsagePage() {
  const { data: session } = useSession();
  const { client: of } = useSearch({ from: '/operate/usage' });
  const isAdmin = mayDo(session, 'admin');
  return (
    <>
      <header className={operateStyles.header}>
        <PageHeading>Usage</PageHeading>
        {isAdmin && <ClientChoice />}
      </header>
      {isAdmin && of === undefined ? (
        <AllClients />
      ) : (
        <>
          <ClientQuotas of={of} />
          {mayDo(session, 'files:read') && <LargestFiles of={of} />}
        </>
      )}
    </>
  );
}

/** Chooses the client whose usage is shown. */
function ClientChoice() {
  const { client: of } = useSearch({ from: '/operate/usage' });
  const navigate = useNavigate({ from: '/operate/usage' });
  const clients = useQuery(clientsQuery);
  if (clients.data === undefined) return null;
  return (
    <div className={operateStyles.bar}>
      <label className={styles.choice}>
        Client
        <select
          value={of ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: value === '' ? {} : { client: value }, replace: true })
          }
        >
          <option value="">All clients</option>
          {clients.data.clients.map(({ clientId, revokedAt }) => (
            <option key={clientId} value={clientId}>
              {clientId}
              {revokedAt !== undefined && ' (revoked)'}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
