import { type TelecineClient, UNFINISHED } from '../../../client/telecine-client.ts';
import { DAY_MS } from '../../../domain/quantity.ts';
import { cleanUp } from './cleanup.ts';
import { UPLOADS, uploadDay } from './output-names.ts';

/** How long uploads stay that their command did not delete: one with `--no-wait`, or one that was killed. */
export const UPLOAD_DAYS = 7;

/** The timeout of the whole removal, which must not delay a command for long. */
const TIMEOUT_MS = 5000;
/** The number of folders that one command removes at most. */
const MAX_FOLDERS = 20;

/**
 * Deletes uploads of earlier commands that are older than a week, except those that an unfinished job may need. Errors
 * are ignored: a later command tries again.
 */
export async function removeOldUploads(client: TelecineClient, now = Date.now()): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { files } = await client.listFiles(`${UPLOADS}/`, { signal });
    const oldest = now - UPLOAD_DAYS * DAY_MS;
    const old = files.map(({ path }) => path.replace(/\/$/, '')).filter((path) => (uploadDay(path) ?? now) < oldest);
    if (old.length === 0) return;
    const used = await pathsOfUnfinishedJobs(client, signal);
    for (const folder of old.filter((path) => !used.includes(`${path}/`)).slice(0, MAX_FOLDERS))
      await cleanUp(client, { folder, files: await entriesIn(client, `${folder}/`, signal) });
  } catch {
    // The client may lack the scope files:read, for example.
  }
}

/** All unfinished jobs of this client as text, which contains their inputs. Throws if they do not fit on one page. */
async function pathsOfUnfinishedJobs(client: TelecineClient, signal: AbortSignal): Promise<string> {
  const pages = await Promise.all(UNFINISHED.map((status) => client.list({ status, limit: 200, signal })));
  if (pages.some(({ nextCursor }) => nextCursor !== undefined)) throw new Error('There are too many unfinished jobs.');
  return JSON.stringify(pages);
}

/** The content of a folder, of at most one page for each folder in it. A folder comes after its content. */
async function entriesIn(client: TelecineClient, folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const { files } = await client.listFiles(folder, { signal });
  const found = files.map(async ({ type, path }) =>
    type === 'folder' ? [...(await entriesIn(client, path, signal)), path] : [path],
  );
  return (await Promise.all(found)).flat();
}
