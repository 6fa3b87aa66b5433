import type { Job } from '@telecine/client';
import { nameOf } from '../files/file-list.ts';
import { SaveRecipe } from '../workbench/save-recipe.tsx';
import { anotherLike } from './another-like.ts';
import { outputText } from './job-names.ts';

/** Stores the request of a job as a recipe of the client. */
export function SaveJobRecipe({ job }: { readonly job: Job }) {
  const output = outputText(job);
  return (
    <SaveRecipe
      read={() => anotherLike(job)}
      origin={`Made from the job that wrote ${output}.`}
      proposed={`Like ${nameOf(output)}`}
    />
  );
}
