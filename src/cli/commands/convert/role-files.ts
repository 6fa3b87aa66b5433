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
  const recipe = await client.recipe(preset.name, { signal }).catch(() => undefined);
  const roles = new Set(recipe?.inputs.slice(1).map(({ role }) => role));
  const files = sent.flatMap(([role, value]) =>
    roles.has(role) ? [{ role, location: fileLocation(String(value)) }] : [],
  );
  for (const { role, location } of files)
    if (location.on === 'local')
      await requireFile(location.path, { fix: `Name an existing file, or one on the service: -a ${role}=server:path` });
  return files.length === 0 ? order : { ...order, roleFiles: files };
}
