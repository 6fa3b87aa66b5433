import { ClientError } from '@telecine/client';
import { isAtControl } from '../ui/field-place.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';

/** The parts of a recipe whose errors have a place on the page. */
export const PLACES = [
  ...['name', 'request'],
  ...['title', 'description', 'words', 'outputs', 'arguments', 'inputs', 'request'].map((one) => `recipe.${one}`),
];

/** The errors of a check that no control shows: the recipe as a whole, or no reply of the service. */
export function OtherErrors({ error, onRetry }: { readonly error: Error; readonly onRetry: (() => void) | undefined }) {
  const errors = error instanceof ClientError ? error.errors : [];
  if (errors.length > 0 && errors.every(({ field }) => PLACES.some((place) => isAtControl(field, place)))) return null;
  return <ProblemNotice error={error} controls={PLACES} {...(errors.length === 0 && onRetry && { onRetry })} />;
}

/** Focuses the first field with an error. An error of no field is said in a notice. */
export function showFirstError(): void {
  const found =
    document.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    document.querySelector<HTMLElement>('[role="alert"]');
  // On a phone, the form is folded.
  const fold = found?.closest('details');
  if (fold) fold.open = true;
  found?.scrollIntoView({ block: 'center' });
  found?.focus({ preventScroll: true });
}
