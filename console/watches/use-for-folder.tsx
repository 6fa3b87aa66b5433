import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import FolderSync from 'lucide-react/icons/folder-sync';
import { useSession } from '../session/use-session.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { DraftNote } from '../workbench/draft-note.tsx';
import { handedRequest, mayMakeWatches } from './watches-query.ts';

interface Props {
  /** undefined: the workbench has no source. */
  readonly request: ConversionRequest | undefined;
  readonly isDisabled: boolean;
}

/** Hands the request of the workbench to the form of a new watch. `watchId`: to that of this watch. */
export function UseForFolder({ request, isDisabled, watchId }: Props & { readonly watchId?: string }) {
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

/** Says that the workbench has the settings of a watch. */
export const WatchNote = ({ watchId, request, isDisabled }: Props & { readonly watchId: string }) => (
  <DraftNote
    label="The changed watch"
    actions={
      <>
        <UseForFolder request={request} isDisabled={isDisabled} watchId={watchId} />
        <Link to="/watches/$watchId" params={{ watchId }} className={buttonClass('quiet')}>
          Leave the watch as it is
        </Link>
      </>
    }
  >
    <p>
      These are the settings of a watch
      {request === undefined ? '. Choose one of its files as the source to change them.' : ', for one of its files.'}
    </p>
  </DraftNote>
);
