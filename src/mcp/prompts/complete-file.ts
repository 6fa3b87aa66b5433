import { allows } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import type { Complete } from './prompt.ts';

const MOST = 50;

/** Files and folders of the media root whose paths begin so; nothing for who may not list them. */
export const completeFile: Complete = async (value, { files }, { caller }) => {
  if (!allows(caller, 'files:read')) return [];
  try {
    const { entries } = await files.list(caller, { prefix: value, limit: MOST });
    return entries.map(({ path }) => path);
  } catch (error) {
    // What is typed so far need not be a path.
    if (error instanceof Problem && error.code !== 'INTERNAL') return [];
    throw error;
  }
};
