import { ADMIN_CLIENT_ID } from '../../../domain/client.ts';
import { invalidRequest } from '../../../domain/problem.ts';

/** Asks the operator. Resolves to undefined if nobody can answer. */
export type Confirm = (question: string) => Promise<boolean | undefined>;

const LOSSES = 'Its tokens stop working, its queued and running jobs are cancelled, and its name stays taken.';
const ADMIN_LOSSES =
  'The file admin-client.json is deleted, and no client manages the jobs of all others until you add one with --scope admin.';

/** Throws INVALID_REQUEST unless the operator says yes. */
export async function confirmRevocation(name: string, confirm: Confirm): Promise<void> {
  const losses = name === ADMIN_CLIENT_ID ? `${LOSSES} ${ADMIN_LOSSES}` : LOSSES;
  const answer = await confirm(`Revoking "${name}" cannot be undone. ${losses} Revoke it?`);
  if (answer) return;
  throw invalidRequest([
    {
      field: '/name',
      code: 'NOT_CONFIRMED',
      message: `"${name}" is not revoked. Revoking cannot be undone. ${losses}`,
      fix: 'Add --yes to revoke it.',
    },
  ]);
}
