import { basename, extname } from 'node:path';
import type { NodeClient } from '@telecine/client/node/node-client.ts';
import { saveDownload } from '@telecine/client/node/save-download.ts';
import { PREVIEW_BOUNDS, PREVIEW_TYPES, type PreviewFormat } from '@telecine/contract/domain/preview.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { bytes } from '../output/format.ts';
import { usageError } from '../session/command-failed.ts';
import { addServiceOptions, numberIn, wholeNumberIn } from '../session/command-options.ts';
import { connect } from '../session/credentials.ts';
import { runCommand } from '../session/run-command.ts';
import type { ServiceFlags } from '../session/service-verbs.ts';
import { requireNoFile, requireWritableFolder } from './convert/local-files.ts';
import { withUploadedFiles } from './uploaded-files.ts';

interface PreviewFlags extends ServiceFlags {
  readonly at?: number;
  /** True if the option has no value. */
  readonly sheet?: Grid | true;
  readonly waveform?: true;
  readonly spectrogram?: true;
  readonly compare?: string;
  readonly width?: number;
  readonly output?: string;
  readonly y?: true;
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
}

const { seconds, columns: maxColumns, rows: maxRows, minWidth, maxWidth } = PREVIEW_BOUNDS;

export function declare(preview: Command): void {
  const views = ['at', 'sheet', 'waveform', 'spectrogram'];
  const view = (flags: string, about: string, own: string): Option =>
    new Option(flags, about).conflicts(views.filter((name) => name !== own));
  preview
    .argument('<file>')
    .addOption(view('--at <seconds>', 'the frame at this time', 'at').argParser(numberIn(0, seconds)))
    .addOption(view('--sheet [columns x rows]', 'a contact sheet, such as 4x4', 'sheet').argParser(readGrid))
    .addOption(view('--waveform', 'the waveform of the audio', 'waveform'))
    .addOption(view('--spectrogram', 'the spectrogram of the audio', 'spectrogram'))
    .option('--compare <file>', 'the original, to stand on the left at the same times')
    .option('--width <pixels>', 'the greatest width of the image', wholeNumberIn(minWidth, maxWidth))
    .option('-o, --output <file>', 'where to save it: .jpg, .png or .webp (default: a name in this folder)')
    .option('-y', 'replace an existing file')
    .action(previewCommand);
  addServiceOptions(preview);
}

function readGrid(text: string): Grid {
  const [, columns, rows] = /^(\d)[x×](\d)$/.exec(text) ?? [];
  const grid = { columns: Number(columns), rows: Number(rows) };
  if (grid.columns >= 1 && grid.columns <= maxColumns && grid.rows >= 1 && grid.rows <= maxRows) return grid;
  throw new InvalidArgumentError(`Use columns and rows, 1 to ${maxColumns} each, such as 4x4.`);
}

function previewCommand(file: string, flags: PreviewFlags): Promise<void> {
  return runCommand(flags, async (signal) => {
    const query = queryOf(flags);
    if (flags.output !== undefined) await requireOutput(flags.output, flags);
    const client = connect(flags.url);
    const files = [file, ...[flags.compare ?? []].flat()];
    const image = await withUploadedFiles(client, files, signal, ({ paths: [shown = '', compare] }) =>
      client.preview(shown, { ...query, compare, signal }),
    );
    const output = flags.output ?? `${basename(file, extname(file))}-${query.view}.${extensionOf(image.type)}`;
    if (flags.output === undefined) await requireOutput(output, flags);
    await saveDownload(async () => new Response(image), output, { replace: flags.y === true });
    if (flags.json) console.log(JSON.stringify({ output, type: image.type, sizeBytes: image.size }));
    else console.log(`${output}  ${bytes(image.size)}`);
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
    `A preview is a JPEG, PNG or WebP image, and ${output} has another extension.`,
    'End its name with .jpg, .png or .webp.',
  );
}

const extensionOf = (type: string): string =>
  type === PREVIEW_TYPES.jpeg ? 'jpg' : type === PREVIEW_TYPES.webp ? 'webp' : 'png';

async function requireOutput(output: string, { y }: PreviewFlags): Promise<void> {
  await requireNoFile(output, y === true);
  await requireWritableFolder(output);
}
