import { sendValue } from '../../domain/edit.ts';
import { invalidRequest } from '../../domain/problem.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Whether the text can be the name of a client. The name is the client id in tokens, logs and commands. */
export const isClientName = (name: string): boolean => NAME.test(name);

/** Throws INVALID_REQUEST unless the text can be the name of a client. */
export function checkClientName(name: string): void {
  if (isClientName(name)) return;
  const suggestion = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64);
  throw invalidRequest([
    {
      field: '/clientId',
      code: 'BAD_NAME',
      message: `Invalid client name "${name.slice(0, 80)}". Use 1–64 characters (a-z, 0-9, . _ -), starting with a letter or digit.`,
      ...(isClientName(suggestion) ? { fix: sendValue(suggestion) } : {}),
    },
  ]);
}
