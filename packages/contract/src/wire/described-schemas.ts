import { z } from 'zod';

/* Schemas of single values, with a description and examples for the documentation. Added checks, such as `.min(1)`, keep the description
   and the examples. */

const about = <T>(description: string, examples: T[]) => ({
  description,
  ...(examples.length > 0 && { examples }),
});

export const text = (description: string, ...examples: string[]) => z.string().meta(about(description, examples));

/** A text of 1 to `max` characters. */
export const textUpTo = (max: number, description: string, ...examples: string[]) =>
  text(description, ...examples)
    .min(1)
    .max(max);

export const number = (description: string, ...examples: number[]) => z.number().meta(about(description, examples));

export const integer = (description: string, ...examples: number[]) => z.int().meta(about(description, examples));

/** A whole number from `min` to `max`. */
export const integerIn = (
  { min, max }: { readonly min: number; readonly max: number },
  description: string,
  ...examples: number[]
) =>
  integer(description, ...examples)
    .min(min)
    .max(max);

/** A whole number of at least 0. */
export const count = (description: string, ...examples: number[]) => integer(description, ...examples).nonnegative();

/** A number in a query, where it is sent as text. */
export const numberInQuery = (description: string, ...examples: number[]) =>
  z.coerce.number().meta(about(description, examples));

export const boolean = (description: string, ...examples: boolean[]) => z.boolean().meta(about(description, examples));

export const choice = <const T extends string>(values: readonly T[], description: string, ...examples: NoInfer<T>[]) =>
  z.enum(values).meta(about(description, examples));

export const list = <S extends z.ZodType>(item: S, description: string, ...examples: unknown[]) =>
  z.array(item).meta(about(description, examples));

/** A list in a query, where each item is a parameter of its own. */
export const listInQuery = <S extends z.ZodType>(items: z.ZodArray<S>) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), items).meta(items.meta() ?? {});

/** A time in ISO 8601. */
export const moment = (description: string, example = '2026-01-31T12:00:00.000Z') =>
  z.iso.datetime().meta(about(description, [example]));

/** An issue for `addIssue`. It becomes a field error in the reply. */
export const issue = (path: (string | number)[], code: string, message: string) => ({
  code: 'custom' as const,
  path,
  message,
  params: { code },
});
