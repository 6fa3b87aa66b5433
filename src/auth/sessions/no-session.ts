import { Problem } from '../../domain/problem.ts';

/** The problem for a session that is unknown, has expired or was ended. It deliberately contains no details. */
export const noSession = (): Problem =>
  new Problem('INVALID_TOKEN', 'The session has ended. Sign in again with POST /api/session.');
