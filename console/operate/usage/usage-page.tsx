import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { binQuery } from '../../files/bin-query.ts';
import { DeleteDialog } from '../../files/delete-dialog.tsx';
import { entriesText } from '../../files/move-targets.ts';
import { useFileActions } from '../../files/use-file-actions.ts';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { Floating } from '../../ui/floating.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { UndoNotice } from '../../ui/undo-notice.tsx';
import { clientsQuery } from '../clients/clients-query.ts';
import operateStyles from '../operate-page.module.css';
import { AllClients } from './all-clients.tsx';
import { ClientQuotas } from './client-quotas.tsx';
import { LargestFiles } from './largest-files.tsx';
import { OwnBin } from './own-bin.tsx';
import styles from './usage-page.module.css';

/** What clients use of the storage and of their quotas: all clients for administrators, or one. */
export function UsagePage() {
  const { data: session } = useSession();
  const { client: of } = useSearch({ from: '/operate/usage' });
  const isAdmin = mayDo(session, 'admin');
  const mayWrite = mayDo(session, 'files:write');
  const { data: bin } = useQuery({ ...binQuery, enabled: mayWrite });
  const { notice, setNotice, refresh, remove, restore } = useFileActions(noMoves);
  // What to delete permanently. Absent: nothing.
  const [asked, setAsked] = useState<string>();
  const isKept = bin !== undefined && bin.keepSeconds !== 0;
  const removePath = async (path: string) => {
    if (isKept) return (await remove([path]))[0];
    setAsked(path);
    return undefined;
  };
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
          {mayDo(session, 'files:read') && (
            <LargestFiles
              of={of}
              actions={
                mayWrite && bin !== undefined
                  ? {
                      isKept,
                      inBin: new Set(bin.entries.map(({ entryId }) => entryId)),
                      remove: removePath,
                      restore: (entry) => restore([entry]),
                    }
                  : undefined
              }
            />
          )}
        </>
      )}
      {mayWrite && <OwnBin onRestore={(entry) => restore([entry])} onPurged={(text) => setNotice({ text })} />}
      {asked !== undefined && (
        <DeleteDialog
          paths={[asked]}
          onDeleted={(deleted) => {
            setNotice({ text: `Deleted ${entriesText(deleted)}.` });
            void refresh();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      <Floating>
        <UndoNotice notice={notice} onClose={() => setNotice(undefined)} />
      </Floating>
    </>
  );
}

/** Nothing is renamed or moved here. */
const noMoves = (): void => undefined;

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
