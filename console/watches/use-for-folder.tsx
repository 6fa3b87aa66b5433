import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import FolderSync from 'lucide-react/icons/folder-sync';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { handedRequest, mayMakeWatches } from './watches-query.ts';

/** Hands the request of the workbench to the form of a new watch. `watchId`: to that of this watch. */
export function UseForFolder({
  request,
  isDisabled,
  watchId,
}: {
  /** undefined: the workbench has no source. */
  readonly request: ConversionRequest | undefined;
  readonly isDisabled: boolean;
  readonly watchId?: string;
}) {
  const { data: session } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (!mayMakeWatches(session)) return null;
  return (
    <Button
      disabled={isDisabled || request === undefined}
      onClick={() => {
        queries.setQueryData(handedRequest(watchId).queryKey, request);
        void navigate(
          watchId === undefined ? { to: '/watches/new' } : { to: '/watches/$watchId/edit', params: { watchId } },
        );
      }}
    >
      <FolderSync /> {watchId === undefined ? 'Use for a folder' : 'Use these settings for the watch'}
    </Button>
  );
}
