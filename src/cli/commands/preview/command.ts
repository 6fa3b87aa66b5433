import { type Command, InvalidArgumentError, Option } from 'commander';
import { PREVIEW_BOUNDS } from '../../../domain/preview.ts';
import { addServiceOptions, numberIn, wholeNumberIn } from '../../session/command-options.ts';
import type { PreviewFlags } from '../../session/flags.ts';

const { seconds, columns: maxColumns, rows: maxRows, minWidth, maxWidth } = PREVIEW_BOUNDS;

/** Adds `telecine preview` to the program. */
export function addPreviewCommand(program: Command): void {
  const views = ['at', 'sheet', 'waveform', 'spectrogram'];
  const view = (flags: string, about: string, own: string): Option =>
    new Option(flags, about).conflicts(views.filter((name) => name !== own));
  const preview = program
    .command('preview <file>')
    .description(
      'save a picture of a file: a local file, which is uploaded, or server:path (default: a frame of its middle)',
    )
    .addOption(view('--at <seconds>', 'the frame at this time', 'at').argParser(numberIn(0, seconds)))
    .addOption(view('--sheet [columns x rows]', 'a contact sheet, such as 4x4', 'sheet').argParser(readGrid))
    .addOption(view('--waveform', 'the waveform of the sound', 'waveform'))
    .addOption(view('--spectrogram', 'the spectrogram of the sound', 'spectrogram'))
    .option('--compare <file>', 'the original, to stand on the left at the same times')
    .option('--width <pixels>', 'the greatest width of the picture', wholeNumberIn(minWidth, maxWidth))
    .option('-o, --output <file>', 'where to save it: .jpg, .png or .webp (default: a name in this folder)')
    .option('-y', 'replace an existing file')
    .action(async (file: string, flags: PreviewFlags) => (await import('./run.ts')).previewCommand(file, flags));
  addServiceOptions(preview);
}

function readGrid(text: string): { readonly columns: number; readonly rows: number } {
  const [, columns, rows] = /^(\d)[x×](\d)$/.exec(text) ?? [];
  const grid = { columns: Number(columns), rows: Number(rows) };
  if (grid.columns >= 1 && grid.columns <= maxColumns && grid.rows >= 1 && grid.rows <= maxRows) return grid;
  throw new InvalidArgumentError(`Use columns and rows, 1 to ${maxColumns} each, such as 4x4.`);
}
