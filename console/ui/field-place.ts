import type { FieldError } from '@telecine/client';

/** Whether an error belongs to a control. `limits.jobs` is the name of the control for `/limits/jobs` and `/limits/jobs/0`. */
export function isAtControl(field: string, name: string): boolean {
  const pointer = pointerOf(name);
  return field === pointer || field.startsWith(`${pointer}/`);
}

/** The value with which an error can be fixed at a control. undefined: there is no such value, or several changes are needed. */
export function rightValue({ apply = [] }: Pick<FieldError, 'apply'>, name: string): string | undefined {
  const [only] = apply;
  if (only === undefined || apply.length > 1 || only.op === 'remove') return undefined;
  const isText = typeof only.value === 'string' || typeof only.value === 'number';
  return isText && only.path === pointerOf(name) ? String(only.value) : undefined;
}

const pointerOf = (name: string): string => `/${name.replaceAll('.', '/')}`;
