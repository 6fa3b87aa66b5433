import { useMutation } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import { applyPatch, type Patch } from '../workbench/apply-patch.ts';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import { editOfJob } from './edit-of-job.ts';
import { useHasWatch } from './use-has-watch.ts';
import { withKnownRecipe } from './with-known-recipe.ts';

interface EditJob {
  /** Opens the request in the workbench, perhaps with a change that the service proposes. */
  open(apply?: Patch): void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** How the request of a job is edited. undefined: the user cannot run the job again with changes. */
export function useEditJob(job: Job): EditJob | undefined {
  const { data: session } = useSession();
  const openInWorkbench = useOpenInWorkbench();
  const edit = editOfJob(job, session, useHasWatch(job));
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ apply }: { readonly apply?: Patch | undefined }) => {
      if (edit === undefined) return;
      const { request, ...options } = edit;
      const known = await withKnownRecipe(job, request, edit.retries?.client !== undefined);
      return { request: apply === undefined ? known : applyPatch(known, apply), options };
    },
  });
  if (edit === undefined) return undefined;
  return {
    open: (apply) =>
      // Passed to the call, because this callback is not called after the user has left the page.
      mutate({ apply }, { onSuccess: (opened) => opened && void openInWorkbench(opened.request, opened.options) }),
    isPending,
    error,
  };
}
