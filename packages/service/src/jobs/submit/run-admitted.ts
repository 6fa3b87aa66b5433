import type { Admission } from './pending-quota.ts';

/** Runs a request that may create jobs, and then releases its reserved room in the queue. */
export async function runAdmitted<T>(admission: Admission | null, work: () => Promise<T>): Promise<T> {
  let accepted = false;
  try {
    const result = await work();
    accepted = true;
    return result;
  } finally {
    admission?.release(accepted);
  }
}
