import { useInfiniteQuery } from '@tanstack/react-query';
import type { Session, Watch } from '@telecine/client';
import { FolderUploads } from '../files/folder-uploads.tsx';
import { PageDrop } from '../files/page-drop.tsx';
import { isStored } from '../media/media-address.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { useUploadItems } from '../uploads/uploads-provider.tsx';
import { watchedFilesQuery } from './watches-query.ts';

/** Whether the signed-in client can upload to the folder of a watch. */
export const mayUpload = (session: Session | null | undefined, watch: Watch): boolean =>
  session?.clientId === watch.client && mayDo(session, 'files:write') && isStored(watch.folder);

/** Whether a watch has no file in any state. */
export const isEmptyWatch = ({ counts }: Watch): boolean => Object.values(counts).every((files) => files === 0);

/** Uploads files to the folder of a watch. Renders nothing if the user cannot upload there. */
export function WatchUploads({ watch }: { readonly watch: Watch }) {
  const { data: session } = useSession();
  const root = watch.folder === '/' ? '' : watch.folder;
  const uploads = useUploadItems().filter(({ path }) => path.startsWith(root));
  const { data } = useInfiniteQuery({ ...watchedFilesQuery(watch.watchId, undefined), enabled: uploads.length > 0 });
  if (!mayUpload(session, watch)) return null;
  const isEmpty = isEmptyWatch(watch) && uploads.length === 0;
  const isActive = watch.state === 'ACTIVE';
  const files =
    watch.patterns === undefined ? 'What you upload here' : `What you upload here as ${watch.patterns.join(', ')}`;
  const note = isActive ? `${files} is converted.` : `${files} is converted when the watch is active again.`;
  return (
    <>
      <PageDrop folder={root} />
      <FolderUploads
        folder={root}
        isOnlyFolder
        emptyText={isEmpty ? `No file has landed yet in ${watch.folder}` : undefined}
        emptyNote={note}
        lineText={note}
        shownBelow={new Set(data?.pages.flatMap((page) => page.files.map(({ path }) => path)))}
        isNext={isEmpty && isActive}
      />
    </>
  );
}
