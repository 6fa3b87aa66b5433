import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Watch, WatchChange } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { OutputFields } from './output-field.tsx';
import { changeOfDraft, draftOfWatch, hasWholeRequest, type WatchDraft } from './watch-draft.ts';
import { PatternsField, SourceFields, WatchOptions } from './watch-options.tsx';
import styles from './watches.module.css';
import { watchesQuery, watchQuery } from './watches-query.ts';

/** Changes the settings of a watch. Its folder and its recipe stay: they are those of another watch. */
export function EditWatch({ watch, onClose }: { readonly watch: Watch; readonly onClose: () => void }) {
  const { data: session } = useSession();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<WatchDraft>(() => draftOfWatch(watch));
  const edit = (changed: Partial<WatchDraft>): void => setDraft({ ...draft, ...changed });
  const change = useMutation({
    mutationFn: (body: WatchChange) => client.changeWatch(watch.watchId, body),
    onSuccess: (changed) => {
      queries.setQueryData(watchQuery(watch.watchId).queryKey, changed);
      void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
      onClose();
    },
  });
  const { folder, request } = watch;
  const example = `${folder === '/' ? '' : folder}film.mov`;
  return (
    <FormDialog
      title={`Change the watch of ${folder}`}
      action="Save"
      isPending={change.isPending}
      error={change.error}
      onSend={() => {
        const body = changeOfDraft(watch, draft);
        if (Object.keys(body).length === 0) onClose();
        else change.mutate(body);
      }}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <p className={styles.soft}>Files that have jobs keep them. Later ones are converted with these settings.</p>
        <PatternsField draft={draft} onChange={edit} />
        {hasWholeRequest(watch) && (
          <OutputFields
            outputs={draft.outputs}
            request={request}
            folder={folder}
            file={example}
            onChange={(outputs) => edit({ outputs })}
          />
        )}
        <SourceFields draft={draft} onChange={edit} mayWrite={mayDo(session, 'files:write')} />
        <WatchOptions draft={draft} onChange={edit} isNew={false} />
      </div>
    </FormDialog>
  );
}
