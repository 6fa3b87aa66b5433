import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import type { ChangedWatch } from '../workbench/draft.ts';
import { DraftNote } from '../workbench/draft-note.tsx';
import { useDraft } from '../workbench/use-draft.tsx';
import { keepBegunWatch } from './begun-watch.ts';
import { settingsFromWorkbench } from './workbench-settings.ts';

/** Says that the workbench edits the settings of a watch, and sends them back to the watch. `request`: undefined if the draft has no source. */
export function ChangedWatchNote({
  watch: { watchId, title, file },
  request,
}: {
  readonly watch: ChangedWatch;
  readonly request: ConversionRequest | undefined;
}) {
  const { change } = useDraft();
  const { data: session } = useSession();
  const navigate = useNavigate();
  const use = useMutation({
    mutationFn: async (changed: ConversionRequest) => {
      const watch = await client.watch(watchId);
      const settings = settingsFromWorkbench(watch, file, changed, new Date());
      keepBegunWatch(session?.clientId ?? '', { folder: watch.folder, request: settings }, watchId);
      change({ do: 'forget-watch' });
      await navigate({ to: '/watches/$watchId', params: { watchId } });
    },
  });
  return (
    <DraftNote
      label="The changed watch"
      actions={
        <>
          <Button
            disabled={request === undefined || use.isPending}
            onClick={() => {
              if (request !== undefined) use.mutate(request);
            }}
          >
            Use these settings for the watch
          </Button>
          <Button variant="quiet" onClick={() => change({ do: 'forget-watch' })}>
            Leave the watch as it is
          </Button>
        </>
      }
    >
      <p>
        {request === undefined
          ? `Choose a file as a source to change the settings of the watch ${title}.`
          : `These are the settings of the watch ${title}${file === '' ? '' : `, for ${file}`}.`}
      </p>
      {use.error !== null && <ProblemNotice error={use.error} />}
    </DraftNote>
  );
}
