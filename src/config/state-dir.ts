import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './read-settings.ts';

/**
 * The folder of this user for what commands remember: `telecine` in XDG_STATE_HOME, or in `~/.local/state`
 * (https://specifications.freedesktop.org/basedir-spec: a relative path is not valid). Undefined for a user without a home
 * folder, as in a container with an arbitrary user id.
 */
export function readStateDir({ XDG_STATE_HOME: state, HOME: home = homeOfUser() }: Environment): string | undefined {
  if (state !== undefined && isAbsolute(state)) return join(state, 'telecine');
  return home === undefined || home === '' ? undefined : join(home, '.local', 'state', 'telecine');
}

/** `homedir` throws for a user that the system does not know. */
function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}
