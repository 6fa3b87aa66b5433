import type { Transactions, Tx } from './ports/transactions.ts';

/** Thrown to roll a transaction back. It is not reported as an error. */
class RollBack extends Error {
  override readonly name = 'RollBack';
}

/**
 * Runs `unit` in a transaction. Commits if it resolves to true and rolls back otherwise. Returns what `unit` returned.
 */
export async function commitIf(transactions: Transactions, unit: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  try {
    await transactions.run(async (tx) => {
      if (!(await unit(tx))) throw new RollBack();
    });
    return true;
  } catch (error) {
    if (error instanceof RollBack) return false;
    throw error;
  }
}
