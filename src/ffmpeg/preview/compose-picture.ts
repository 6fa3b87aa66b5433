import { join } from 'node:path';
import { JobFailed } from '../../domain/failure.ts';
import { maxPreviewBytes, type PreviewFormat, type PreviewSpec } from '../../domain/preview.ts';
import { candidatesOf, choosePicture, composeChain, scaled } from '../plan/preview/candidates.ts';
import type { Layout, Size } from '../plan/preview/layout.ts';
import { type ArgvFacts, composeArgv } from '../plan/preview/preview-argv.ts';
import { TILES } from './extract-frames.ts';
import { type FfmpegRunner, runFfmpeg } from './run-ffmpeg.ts';
import { readWritten } from './written-file.ts';

export interface ComposedPicture extends Size {
  readonly format: PreviewFormat;
  readonly bytes: Uint8Array;
}

/** How much smaller the picture gets until it fits: noise cannot be compressed, and PNG hardly compresses films. */
const SCALES = [1, 0.7, 0.5, 0.35, 0.25];

/** Puts the tiles together, in the best quality that fits. Throws JobFailed. */
export async function composePicture(
  r: FfmpegRunner,
  spec: PreviewSpec,
  layout: Pick<Layout, 'columns' | 'rows' | 'size'>,
  facts: ArgvFacts,
): Promise<ComposedPicture> {
  const candidates = candidatesOf(spec, spec.view === 'waveform');
  const maxBytes = maxPreviewBytes(layout.size.width * layout.size.height);
  for (const scale of SCALES) {
    // The inputs are not visible: this run reads only tiles.
    const run = await runFfmpeg(
      { ...r, mounts: [] },
      composeArgv(TILES, composeChain(layout, scale), candidates, facts),
    );
    if (run.failure !== undefined) throw new JobFailed(run.failure);
    const written = await Promise.all(
      candidates.map(async (one) => {
        const bytes = await readWritten(join(r.dir, one.logical));
        return bytes === undefined ? [] : [{ ...one, bytes, sizeBytes: bytes.length }];
      }),
    );
    const chosen = choosePicture(written.flat(), maxBytes);
    if (chosen !== undefined)
      return {
        format: chosen.format,
        bytes: chosen.bytes,
        ...(scale === 1 ? layout.size : scaled(layout.size, scale)),
      };
  }
  throw new JobFailed({
    code: 'UNSUPPORTED',
    message: `The picture does not fit into ${maxBytes} bytes.`,
    fix: 'Ask for a smaller width, fewer columns and rows, or the format jpeg.',
  });
}
