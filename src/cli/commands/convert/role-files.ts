import { stat } from 'node:fs/promises';
import type { Recipe } from '../../../client/api.ts';
import { ClientError } from '../../../client/client-error.ts';
import type { TelecineClient } from '../../../client/telecine-client.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { fileLocation } from './file-location.ts';
import { requireFile } from './local-files.ts';

/**
 * Reads the arguments of the recipe that name its inputs as files of the command: `-a logo=logo.png` uploads a local file, as
 * an input is. Does not ask the service if there are no arguments. An unknown recipe is left to the submission, which names
 * a near one. Throws `CommandFailed` for a file that does not exist, and `ClientError`.
 */
export async function withRoleFiles(
  order: ConversionOrder,
  client: Pick<TelecineClient, 'recipe'>,
  signal: AbortSignal,
): Promise<ConversionOrder> {
  const { preset } = order;
  const sent = Object.entries(preset?.arguments ?? {});
  if (preset === undefined || sent.length === 0) return order;
  const recipe = await readRecipe(client, preset.name, Object.values(preset.arguments ?? {}), signal);
  const roles = new Set(recipe?.inputs.slice(1).map(({ role }) => role));
  const files = sent.flatMap(([role, value]) =>
    roles.has(role) ? [{ role, location: fileLocation(String(value)) }] : [],
  );
  for (const { role, location } of files)
    if (location.on === 'local')
      await requireFile(location.path, { fix: `Name an existing file, or one on the service: -a ${role}=server:path` });
  return files.length === 0 ? order : { ...order, roleFiles: files };
}

/**
 * The recipe, or undefined if it is unknown, or may not be read and no argument can be a file. Otherwise an argument would be sent as
 * the path of a file on the service, where another file may have that name.
 */
async function readRecipe(
  client: Pick<TelecineClient, 'recipe'>,
  name: string,
  values: readonly unknown[],
  signal: AbortSignal,
): Promise<Recipe | undefined> {
  try {
    return await client.recipe(name, { signal });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    // Without a status, no recipe can have the name.
    if (error.code === 'NOT_FOUND' || (error.kind === 'rejected' && error.status === undefined)) return undefined;
    // `jobs:write` is enough to use a recipe, and reading it takes `jobs:read`.
    if (error.status === 403 && !(await containFile(values))) return undefined;
    throw error;
  }
}

async function containFile(values: readonly unknown[]): Promise<boolean> {
  for (const value of values) {
    const { on, path } = fileLocation(String(value));
    if (on === 'server' || (await stat(path).catch(() => undefined)) !== undefined) return true;
  }
  return false;
}
