import { ClientError, type FieldError } from '@telecine/client';

/** A message about a body, and the changes that fix it. */
interface Message {
  readonly field?: string | undefined;
  readonly apply?: FieldError['apply'];
}

const REQUEST = '/request';

/** The messages about the `request` in a body, as messages about this request alone. A fix that also changes other parts of the body is left out. */
export const messagesOfRequest = <M extends Message>(messages: readonly M[]): readonly M[] =>
  messages.flatMap((one) => {
    const { field, apply, ...rest } = one;
    if (field !== REQUEST && field?.startsWith(`${REQUEST}/`) !== true) return [];
    const isOfRequest = apply?.every(({ path }) => path.startsWith(`${REQUEST}/`)) === true;
    return [
      {
        ...rest,
        field: field.slice(REQUEST.length),
        ...(isOfRequest && { apply: apply.map((each) => ({ ...each, path: each.path.slice(REQUEST.length) })) }),
      } as M,
    ];
  });

/** The error of a check of a body with a `request`, as an error about this request alone. null: it has no such error. */
export function errorOfRequest(error: Error | null): Error | null {
  if (!(error instanceof ClientError) || error.problem === undefined) return null;
  const errors = [...messagesOfRequest(error.errors)];
  return new ClientError(error.kind, error.message, { status: error.status, problem: { ...error.problem, errors } });
}
