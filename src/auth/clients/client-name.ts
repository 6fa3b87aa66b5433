import { invalidRequest } from '../../domain/problem.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** A client's name is its id: it stands in tokens, log lines and command lines. */
export const isClientName = (name: string): boolean => NAME.test(name);

/** Throws INVALID_REQUEST. */
export function checkClientName(name: string): void {
  if (isClientName(name)) return;
  const near = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64);
  throw invalidRequest([
    {
      field: '/name',
      code: 'BAD_NAME',
      message: `"${name.slice(0, 80)}" cannot be a client's name: 1 to 64 of a-z, 0-9, ".", "_" and "-" make one, a letter or digit first.`,
      ...(isClientName(near) ? { fix: `Send "${near}".` } : {}),
    },
  ]);
}
