import type { WatchList } from '@telecine/client/api.ts';
import { withSlash } from '@telecine/contract/domain/media-path.ts';
import { usageError } from '../../session/command-failed.ts';
import type { CallOperation } from '../../session/operation-verbs.ts';
import { pathOnServer } from '../convert/file-names.ts';

/** Returns the id of the watch with this id, name or folder. Throws `CommandFailed` if there is none, or more than one. */
export async function watchIdOf(text: string, call: CallOperation): Promise<string> {
  const { watches } = (await call('listWatches', {})) as WatchList;
  const folder = withSlash(pathOnServer(text));
  const named = watches.filter(({ watchId, name }) => watchId === text || name === text);
  const found = named.length > 0 ? named : watches.filter((watch) => watch.folder === folder);
  if (found[0] !== undefined && found.length === 1) return found[0].watchId;
  throw usageError(
    found.length === 0 ? 'WATCH_NOT_FOUND' : 'SEVERAL_WATCHES',
    `${found.length || 'None'} of your watches ${found.length > 1 ? 'have' : 'has'} the name, the folder or the id "${text}".`,
    found.length === 0
      ? '"telecine watch list" shows them.'
      : `Write the id of one: ${found.map(({ watchId }) => watchId).join(', ')}.`,
  );
}
