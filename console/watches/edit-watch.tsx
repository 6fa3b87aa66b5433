import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Watch, WatchChange } from '@telecine/client';
import { useReducer, useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { changeDraft } from '../workbench/change-draft.ts';
import { EMPTY_DRAFT } from '../workbench/draft.ts';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import { useRecipe } from '../workbench/use-recipe.ts';
import { forgetBegunWatch, readBegunWatch } from './begun-watch.ts';
import { ConversionSection } from './conversion-section.tsx';
import { OutputFields } from './output-field.tsx';
import {
  changeOfDraft,
  draftOfWatch,
  hasWholeRequest,
  isOfRecipe,
  templateFor,
  templatesOf,
  type WatchDraft,
  withRecipe,
} from './watch-draft.ts';
import { PatternsField, SourceFields, WatchOptions } from './watch-options.tsx';
import { titleOfWatch } from './watch-status.tsx';
import { watchesQuery, watchQuery } from './watches-query.ts';
import { settingsInWorkbench } from './workbench-settings.ts';

/** Changes the settings of a watch. Its folder stays: another folder is another watch. */
export function EditWatch({ watch, onClose }: { readonly watch: Watch; readonly onClose: () => void }) {
  const { data: session } = useSession();
  const clientId = session?.clientId ?? '';
  const { watchId, folder, request } = watch;
  const queries = useQueryClient();
  const [begun] = useState(() => readBegunWatch(clientId, watchId)?.request);
  const [settings, setSettings] = useState(() => begun ?? (isOfRecipe(request) ? undefined : request));
  const [recipeDraft, changeRecipe] = useReducer(changeDraft, {
    ...EMPTY_DRAFT,
    ...(begun === undefined && isOfRecipe(request) && { preset: request.preset }),
  });
  const [draft, setDraft] = useState<WatchDraft>(() => ({
    ...draftOfWatch(watch),
    ...(begun && { outputs: templatesOf(begun) }),
  }));
  const edit = (changed: Partial<WatchDraft>): void => setDraft({ ...draft, ...changed });
  const { preset } = recipeDraft;
  const recipe = useRecipe(preset?.name);
  const converts = settings ?? (preset === undefined ? request : withRecipe(request, preset));
  const isOtherRecipe = settings === undefined && preset !== undefined && preset.name !== request.preset?.name;
  // Another recipe can make other formats. What the user has entered stays.
  const [template = ''] = templatesOf(request);
  const isUntouched = draft.outputs.length === 1 && draft.outputs[0] === template;
  const outputs =
    isOtherRecipe && isUntouched && recipe !== undefined ? [templateFor(template, recipe)] : draft.outputs;
  const close = (): void => {
    forgetBegunWatch(clientId, watchId);
    onClose();
  };
  const change = useMutation({
    mutationFn: (body: WatchChange) => client.changeWatch(watchId, body),
    onSuccess: (changed) => {
      queries.setQueryData(watchQuery(watchId).queryKey, changed);
      void queries.invalidateQueries({ queryKey: watchesQuery.queryKey });
      close();
    },
  });
  const workbench = useWorkbench(watch);
  const isHidden = converts === request && !hasWholeRequest(watch);
  return (
    <FormDialog
      title={`Change the watch of ${folder}`}
      action="Save"
      isPending={change.isPending}
      error={change.error}
      onSend={() => {
        const body = changeOfDraft(watch, { ...draft, outputs }, converts);
        if (Object.keys(body).length === 0) close();
        else change.mutate(body);
      }}
      onClose={close}
    >
      <div className={form.fields}>
        <p className={ink.soft}>
          Files that have jobs keep them. Later ones, and those that you retry, are converted with these settings.
        </p>
        <PatternsField draft={draft} onChange={edit} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the Enter key of the search from sending the form. */}
        <div
          className={form.fields}
          onKeyDown={(event) => {
            const { target, key } = event;
            if (key === 'Enter' && target instanceof HTMLInputElement && target.type === 'search')
              event.preventDefault();
          }}
        >
          <ConversionSection
            settings={settings}
            draft={recipeDraft}
            change={changeRecipe}
            recipe={recipe}
            error={change.error}
            onDrop={() => {
              setSettings(undefined);
              edit({ outputs: [template] });
            }}
            onWorkbench={
              session?.clientId === watch.client && hasWholeRequest(watch) ? () => workbench.mutate() : undefined
            }
          />
          {workbench.error !== null && <ProblemNotice error={workbench.error} />}
        </div>
        {isHidden ? (
          <p className={ink.soft}>
            The settings have keys or passwords, which are not shown. To change them, or the outputs, choose a recipe.
          </p>
        ) : (
          <OutputFields
            outputs={outputs}
            request={converts}
            folder={folder}
            file={`${folder === '/' ? '' : folder}film.mov`}
            onChange={(changed) => edit({ outputs: changed })}
          />
        )}
        <SourceFields draft={draft} onChange={edit} mayWrite={mayDo(session, 'files:write')} />
        <WatchOptions draft={draft} onChange={edit} isNew={false} />
      </div>
    </FormDialog>
  );
}

/** Opens the workbench with the request of a watch, for one of its files: first of all one that waits for a person. */
function useWorkbench(watch: Watch) {
  const openInWorkbench = useOpenInWorkbench();
  return useMutation({
    mutationFn: async () => {
      const { watchId, counts } = watch;
      const { files } = await client.watchedFiles(watchId, {
        limit: 1,
        ...(counts.needsAttention > 0 && { state: 'NEEDS_ATTENTION' }),
      });
      const file = files[0]?.path ?? '';
      await openInWorkbench(settingsInWorkbench(watch, file, new Date()), {
        watch: { watchId, title: titleOfWatch(watch), file },
      });
    },
  });
}
