import { stat } from 'node:fs/promises';
import { shellWord } from '../../../domain/shell-text.ts';
import { usageError } from '../../session/usage-error.ts';
import type { ConversionOrder } from './conversion-order.ts';
import { isPattern } from './local-files.ts';

const exists = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Throws `CommandFailed` if the first file is missing while the last one exists: the command probably names its output
 * first. With the proposed order of another missing file, the output would replace an input.
 */
export async function rejectOutputFirst({ inputs, output }: ConversionOrder): Promise<void> {
  const [first, ...others] = inputs;
  if (first === undefined || first.location.on !== 'local' || output.on !== 'local') return;
  const { path } = first.location;
  if (path === '' || first.nameBefore !== undefined || first.frames !== undefined || isPattern(path)) return;
  const rest = [...others.map(({ location }) => location), output];
  const areThere = await Promise.all(rest.map(async (one) => one.on === 'local' && (await exists(one.path))));
  if (areThere.includes(false) || (await stat(path).catch(() => undefined)) !== undefined) return;
  const files = [...rest.map((one) => one.path), path].map(shellWord).join(' ');
  throw usageError(
    'NO_SUCH_FILE',
    `There is no file ${path}, and the last file, ${output.path}, exists.`,
    `If ${path} is the output, name it last: ${files}. For an input on the service, send server:path.`,
  );
}
