import type { PreviewSpec } from '../../domain/preview.ts';
import { invalidRequest } from '../../domain/problem.ts';
import type { PreviewQuery } from '../../wire/preview.ts';

/** The preview that a query asks for. undefined if it asks for the file. Throws INVALID_REQUEST. */
export function readPreview(
  query: PreviewQuery,
): { readonly spec: PreviewSpec; readonly compare: string | undefined } | undefined {
  const { view, compare, at, columns, rows, width, format } = query;
  if (view !== undefined) {
    const spec = { view, ...defined({ at, columns, rows, width, format }) };
    return { spec, compare };
  }
  const errors = Object.entries({ at, columns, rows, width, format, compare }).flatMap(([name, value]) =>
    value === undefined ? [] : [needsView(name)],
  );
  if (errors.length > 0) throw invalidRequest(errors);
  return undefined;
}

const needsView = (name: string) => ({
  field: `/${name}`,
  code: 'NO_EFFECT',
  message: `"${name}" is of a preview, and "view" is missing.`,
  fix: 'Send "view" too: frame, sheet, waveform or spectrogram.',
});

/** The properties that are not undefined. */
const defined = <T extends object>(all: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
