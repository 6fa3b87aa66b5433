import { allows } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import type { Complete } from './prompt.ts';

const MAX_PATHS = 50;

/** Completes a path in the media root. Returns no paths if the caller may not list files. */
export const completeFile: Complete = async (value, { files }, { caller }) => {
  if (!allows(caller, 'files:read')) return [];
  try {
    const { entries } = await files.list(caller, { prefix: value, limit: MAX_PATHS });
    return entries.map(({ path }) => path);
  } catch (error) {
    // The partial text may not be a valid path yet.
    if (error instanceof Problem && error.code !== 'INTERNAL') return [];
    throw error;
  }
};
