import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import FolderSync from 'lucide-react/icons/folder-sync';
import { loadPart } from '../app/load-part.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { mayMakeWatches } from './may-make-watches.ts';

/** Begins a watch of the folder of the source, with the settings of the workbench. */
export function WatchThisFolder({
  request,
  isDisabled,
}: {
  readonly request: ConversionRequest;
  readonly isDisabled: boolean;
}) {
  const { data: session } = useSession();
  const navigate = useNavigate();
  if (!mayMakeWatches(session) || !session) return null;
  const open = async (): Promise<void> => {
    // Loaded when it is needed, because the workbench is the first page.
    const [{ watchedRequest }, { keepBegunWatch }] = await Promise.all([
      loadPart(() => import('./watched-request.ts')),
      loadPart(() => import('./begun-watch.ts')),
    ]);
    keepBegunWatch(session.clientId, watchedRequest(request));
    await navigate({ to: '/watches/new' });
  };
  return (
    <Button disabled={isDisabled} onClick={() => void open()}>
      <FolderSync /> Watch this folder with these settings
    </Button>
  );
}
