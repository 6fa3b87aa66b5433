import type { Job } from '@telecine/client';
import { SaveRecipe } from '../workbench/save-recipe.tsx';
import { anotherLike } from './another-like.ts';

/** Stores the request of a job as a recipe of the client. */
export function SaveJobRecipe({ job }: { readonly job: Job }) {
  return <SaveRecipe read={() => anotherLike(job)} />;
}
