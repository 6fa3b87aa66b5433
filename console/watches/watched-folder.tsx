import { Link } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import { isStored } from '../media/media-address.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { PathText } from '../ui/path-text.tsx';

/** The folder of a watch. It leads to its files, if they are those of the signed-in client. */
export function WatchedFolder({ watch: { client, folder } }: { readonly watch: Pick<Watch, 'client' | 'folder'> }) {
  const { data: session } = useSession();
  if (session?.clientId !== client || !mayDo(session, 'files:read') || !isStored(folder))
    return <PathText path={folder} />;
  return (
    <Link to="/files" search={folder === '/' ? {} : { folder }}>
      <PathText path={folder} />
    </Link>
  );
}
