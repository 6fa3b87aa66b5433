import type { FieldError } from '@telecine/client';
import { missingArguments } from './field-messages.ts';

/** The errors at fields that have a value. The bar above the form names the missing fields and leads to them. */
export const wrongOf = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.filter((error) => missingArguments([error]).length === 0);

/** Whether several fields have errors, and each has a button of its own. */
export const hasButtonForEach = (errors: readonly FieldError[]): boolean =>
  errors.length > 1 && wrongOf(errors).length === errors.length;
