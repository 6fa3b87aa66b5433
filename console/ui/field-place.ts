import type { FieldError } from '@telecine/client';

/** Whether an error is about a control: its JSON Pointer is that of the control's name, or of a part of it. */
export function isAtControl(field: string, name: string): boolean {
  const pointer = pointerOf(name);
  return field === pointer || field.startsWith(`${pointer}/`);
}

/** The value that an error says to send instead at a control. undefined if it says none, or several changes. */
export function rightValue({ apply = [] }: Pick<FieldError, 'apply'>, name: string): string | undefined {
  const [only] = apply;
  if (only === undefined || apply.length > 1 || only.op === 'remove') return undefined;
  const isText = typeof only.value === 'string' || typeof only.value === 'number';
  return isText && only.path === pointerOf(name) ? String(only.value) : undefined;
}

const pointerOf = (name: string): string => `/${name.replaceAll('.', '/')}`;
