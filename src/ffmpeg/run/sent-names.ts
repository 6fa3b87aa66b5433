import { type Edit, type Edits, hasEdits } from '../../domain/edit.ts';
import type { Failure } from '../../domain/failure.ts';
import type { PlannedOutput } from '../../domain/plan.ts';
import { pointerKey } from '../../domain/problem.ts';

/**
 * Names the codec options in the fix of a failure as the client sent them: `c:v` and `c:a`, where the causes, which do not
 * know the request, say `c`. Leaves `map` out of the fix if the request has none.
 */
export function withSentNames(failure: Failure, { fields = {} }: Pick<PlannedOutput, 'fields'>): Failure {
  const { fix } = failure;
  const sent = Object.entries(fields).flatMap(([key, field]) =>
    (key === 'c' || key.startsWith('c:')) && field.includes('/parameters/')
      ? [pointerKey(field.slice(field.lastIndexOf('/') + 1))]
      : [],
  );
  if (!hasEdits(fix) || sent.length === 0) return failure;
  const codecs = [...new Set(sent)].map((name): Edit => ({ do: 'remove', name }));
  const named = (one: Edits): Edits => ({
    ...one,
    edits: one.edits.flatMap((edit, _at, all) => {
      if (edit.do !== 'remove') return [edit];
      if (edit.name === 'c') return codecs;
      const isBesideCodec = all.some((other) => other.do === 'remove' && other.name === 'c');
      return edit.name === 'map' && isBesideCodec && !Object.hasOwn(fields, 'map') ? [] : [edit];
    }),
    ...(one.or !== undefined && { or: typeof one.or === 'string' ? one.or : named(one.or) }),
  });
  return { ...failure, fix: named(fix) };
}
