import type { linkedPreviewQuery } from '../wire/preview.ts';
import type { Shape } from '../wire/shape.ts';

export const PREVIEW_VIEWS = ['frame', 'sheet', 'waveform', 'spectrogram'] as const;
export type PreviewView = (typeof PREVIEW_VIEWS)[number];

export const PREVIEW_FORMATS = ['jpeg', 'png', 'webp'] as const;
export type PreviewFormat = (typeof PREVIEW_FORMATS)[number];

export const PREVIEW_BOUNDS = {
  /** The latest time of a frame, in seconds. */
  seconds: 1_000_000,
  columns: 8,
  rows: 8,
  minWidth: 16,
  maxWidth: 1920,
} as const;

/** The images of a sheet, unless the client chooses others. */
export const SHEET_GRID = { columns: 4, rows: 4 } as const;

/** An image of a file that a client asks for. Default of `at`: the middle of the file. */
export interface PreviewSpec extends Shape<typeof linkedPreviewQuery> {
  readonly view: PreviewView;
}

/** An image, with facts for a reader that cannot see it. */
export interface PreviewImage extends PreviewFacts {
  readonly bytes: Uint8Array;
}

export interface PreviewFacts {
  readonly format: PreviewFormat;
  readonly width: number;
  readonly height: number;
  /**
   * The times of the frames in reading order, in seconds from the start of the file. Frames that cannot be decoded are left out.
   * If two files are compared, the frames of each time stand side by side, the original first. Empty for audio.
   */
  readonly times: readonly number[];
  /** The duration of the file; of the second one if two are compared. Absent for a still image. */
  readonly durationSeconds?: number;
  /** The highest frequency of a spectrogram, in Hz. */
  readonly maxHz?: number;
}

export const PREVIEW_TYPES: Readonly<Record<PreviewFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** An image of more pixels has a proportionally higher limit. */
const BASE_PIXELS = 2 ** 20;
const BASE_BYTES = 120_000;

/** The most pixels of an image. An image whose width the client chose may have twice as many. */
export const maxPixels = ({ width }: Pick<PreviewSpec, 'width'>): number => (width === undefined ? 1 : 2) * BASE_PIXELS;

/** The most bytes of an image with this number of pixels: 120,000 for a usual one. */
export const maxPreviewBytes = (pixels: number): number => Math.floor(BASE_BYTES * Math.max(1, pixels / BASE_PIXELS));
