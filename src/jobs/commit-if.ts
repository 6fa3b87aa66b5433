import type { Transactions, Tx } from './ports.ts';

/** Rolls the transaction back without being an error. */
class RollBack extends Error {
  override readonly name = 'RollBack';
}

/** Runs `unit` in a transaction and commits where it resolves to true; otherwise nothing changes. Resolves to the same. */
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
