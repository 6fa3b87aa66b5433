import { basename, extname } from 'node:path';
import type { NodeClient } from '../../../client/node/node-client.ts';
import { saveDownload } from '../../../client/node/save-download.ts';
import { PREVIEW_TYPES, type PreviewFormat } from '../../../domain/preview.ts';
import { bytes } from '../../output/quantities.ts';
import { connect } from '../../session/credentials.ts';
import type { PreviewFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { usageError } from '../../session/usage-error.ts';
import { callerNames } from '../convert/caller-names.ts';
import { cleanUp } from '../convert/cleanup.ts';
import { fileLocation } from '../convert/file-location.ts';
import { requireFile, requireNoFile, requireWritableFolder } from '../convert/local-files.ts';
import { newUploadFolder, uploadName } from '../convert/output-names.ts';

/** Runs `telecine preview`. */
export function previewCommand(file: string, flags: PreviewFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const query = queryOf(flags);
    if (flags.output !== undefined) await requireOutput(flags.output, flags);
    const picture = await makePreview(connect(flags.url), [file, ...[flags.compare ?? []].flat()], query, signal);
    const output = flags.output ?? `${basename(file, extname(file))}-${query.view}.${extensionOf(picture.type)}`;
    if (flags.output === undefined) await requireOutput(output, flags);
    await saveDownload(async () => new Response(picture), output, { replace: flags.y === true });
    if (flags.json) console.log(JSON.stringify({ output, type: picture.type, sizeBytes: picture.size }));
    else console.log(`${output}  ${bytes(picture.size)}`);
  });
}

type Query = NonNullable<Parameters<NodeClient['preview']>[1]>;

function queryOf({ at, sheet, waveform, spectrogram, width, output }: PreviewFlags): Query & { readonly view: string } {
  const view = sheet !== undefined ? 'sheet' : waveform ? 'waveform' : spectrogram ? 'spectrogram' : 'frame';
  const format = output === undefined ? undefined : formatOf(output);
  return { view, at, width, format, ...(typeof sheet === 'object' && sheet) };
}

const FORMATS: Readonly<Record<string, PreviewFormat>> = {
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.png': 'png',
  '.webp': 'webp',
};

function formatOf(output: string): PreviewFormat {
  const format = FORMATS[extname(output).toLowerCase()];
  if (format !== undefined) return format;
  throw usageError(
    'UNKNOWN_FORMAT',
    `${output} is no picture that a preview can be.`,
    'End its name with .jpg, .png or .webp.',
  );
}

const extensionOf = (type: string): string =>
  type === PREVIEW_TYPES.jpeg ? 'jpg' : type === PREVIEW_TYPES.webp ? 'webp' : 'png';

async function requireOutput(output: string, { y }: PreviewFlags): Promise<void> {
  await requireNoFile(output, y === true);
  await requireWritableFolder(output);
}

/** @param files The file, and the original if they are compared. Local ones are uploaded, and removed in the end. */
async function makePreview(
  client: NodeClient,
  files: readonly string[],
  query: Query,
  signal: AbortSignal,
): Promise<Blob> {
  const folder = newUploadFolder();
  const located = files.map((file, index) => {
    const location = fileLocation(file);
    if (location.on === 'server') return { file, index, path: location.path, isLocal: false };
    return { file, index, path: `${folder}/${uploadName(index, location.path)}`, isLocal: true };
  });
  const uploads = located.filter(({ isLocal }) => isLocal);
  for (const { file } of uploads) await requireFile(fileLocation(file).path);
  const names = callerNames({ folder, uploads });
  try {
    for (const { file, path } of uploads) await client.uploadFile(fileLocation(file).path, path, { signal });
    const [shown, original] = located;
    return await client.preview(shown?.path ?? '', { ...query, compare: original?.path, signal });
  } catch (error) {
    throw names.error(error);
  } finally {
    if (uploads.length > 0)
      for (const failure of await cleanUp(client, { folder, files: uploads.map(({ path }) => path) }))
        console.error(failure);
  }
}
