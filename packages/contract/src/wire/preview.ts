import { z } from 'zod';
import { PREVIEW_BOUNDS, PREVIEW_FORMATS, PREVIEW_VIEWS } from '../domain/preview.ts';
import { choice, numberInQuery, text } from './described-schemas.ts';

const { columns, rows, minWidth, maxWidth, seconds } = PREVIEW_BOUNDS;

/** The query parameters of a download that turn it into a preview. */
const previewParameters = {
  view: choice(
    PREVIEW_VIEWS,
    'Send an image of the file instead of the file: a `frame`, a contact `sheet`, a `waveform` (one colour on a transparent ' +
      'ground) or a `spectrogram`.',
    'sheet',
  ).exactOptional(),
  at: numberInQuery(
    'For a `frame`: its time in seconds. Default: the middle of the file, or another time if the frame there is black.',
    12.5,
  )
    .min(0)
    .max(seconds)
    .exactOptional(),
  columns: numberInQuery('For a `sheet`. Default: 4.', 4).int().min(1).max(columns).exactOptional(),
  rows: numberInQuery('For a `sheet`. Default: 4.', 4).int().min(1).max(rows).exactOptional(),
  width: numberInQuery('The maximum width of the image. Frames are never enlarged.', 320)
    .int()
    .min(minWidth)
    .max(maxWidth)
    .exactOptional(),
  format: choice(PREVIEW_FORMATS, 'Default: the smaller of JPEG and PNG; PNG for a waveform.', 'webp').exactOptional(),
};

/** `previewParameters` and the file to compare. A signed link lacks this parameter, because it opens no other file. */
export const comparedParameters = {
  ...previewParameters,
  compare: text(
    'For a `frame` or `sheet`: another file of the media root, such as the original. It is shown on the left, at the same times. ' +
      'The default of a `sheet` is then 1 column of pairs and 3 rows.',
    'movies/in.mov',
  )
    .max(4096)
    .exactOptional(),
};

export const previewQuery = z.strictObject(comparedParameters);

export const linkedPreviewQuery = z.strictObject(previewParameters);

export type PreviewQuery = z.infer<typeof previewQuery>;
