import type { TelecineClient } from '@telecine/client/telecine-client.ts';
import { withSlash } from '@telecine/contract/domain/media-path.ts';
import { usageError } from '../../session/command-failed.ts';
import { pathOnServer } from '../convert/file-names.ts';

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the id of the watch with this id, name or folder. Throws `CommandFailed` if there is none, or more than one. */
export async function watchIdOf(
  client: Pick<TelecineClient, 'watches'>,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  if (ID.test(text)) return text;
  const { watches } = await client.watches({ signal });
  const named = watches.filter(({ name }) => name === text);
  const folder = withSlash(pathOnServer(text));
  const found = named.length > 0 ? named : watches.filter((watch) => watch.folder === folder);
  const [first] = found;
  if (first === undefined)
    throw usageError(
      'WATCH_NOT_FOUND',
      `None of your watches has the name, the folder or the id "${text}".`,
      '"telecine watch list" shows them.',
    );
  if (found.length === 1) return first.watchId;
  throw usageError(
    'SEVERAL_WATCHES',
    `${found.length} watches have the name or the folder "${text}".`,
    `Write the id of one: ${found.map(({ watchId }) => watchId).join(', ')}.`,
  );
}
