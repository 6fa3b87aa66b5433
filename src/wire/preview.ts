import { z } from 'zod';
import { PREVIEW_BOUNDS, PREVIEW_FORMATS, PREVIEW_VIEWS } from '../domain/preview.ts';

const { columns, rows, minWidth, maxWidth, seconds } = PREVIEW_BOUNDS;

/** The parameters of a preview in the query of a download. */
export const previewParameters = {
  view: z
    .enum(PREVIEW_VIEWS)
    .exactOptional()
    .meta({
      description:
        'Send a picture of the file instead of the file: a `frame`, a contact `sheet`, a `waveform` (one colour on a transparent ' +
        'ground) or a `spectrogram`.',
      examples: ['sheet'],
    }),
  at: z.coerce
    .number()
    .min(0)
    .max(seconds)
    .exactOptional()
    .meta({ description: 'Of a `frame`: its time in seconds. Default: the middle of the file.', examples: [12.5] }),
  columns: z.coerce
    .number()
    .int()
    .min(1)
    .max(columns)
    .exactOptional()
    .meta({ description: 'Of a `sheet`. Default: 4.', examples: [4] }),
  rows: z.coerce
    .number()
    .int()
    .min(1)
    .max(rows)
    .exactOptional()
    .meta({ description: 'Of a `sheet`. Default: 4.', examples: [4] }),
  width: z.coerce
    .number()
    .int()
    .min(minWidth)
    .max(maxWidth)
    .exactOptional()
    .meta({ description: 'The greatest width of the picture. Frames are never enlarged.', examples: [320] }),
  format: z
    .enum(PREVIEW_FORMATS)
    .exactOptional()
    .meta({ description: 'Default: JPEG or PNG, whichever is smaller; PNG for a waveform.', examples: ['webp'] }),
};

/** The same with the file to compare. A signed link opens no other file, so it has none. */
export const comparedParameters = {
  ...previewParameters,
  compare: z
    .string()
    .max(4096)
    .exactOptional()
    .meta({
      description:
        'Of a `frame` or `sheet`: another file of the media root, which stands on the left at the same times, such as the original. ' +
        'A `sheet` has 1 column of pairs and 3 rows then by default.',
      examples: ['movies/in.mov'],
    }),
};

/** Query of `GET /api/files/{path}`. */
export const previewQuery = z.strictObject(comparedParameters);

/** Query of `GET /api/conversion/{jobId}/links/{link}/{path}`. */
export const linkedPreviewQuery = z.strictObject(previewParameters);

export type PreviewQuery = z.infer<typeof previewQuery>;
