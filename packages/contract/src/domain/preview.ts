import type { linkedPreviewQuery } from '../wire/preview.ts';
import type { Shape } from '../wire/shape.ts';

export const PREVIEW_VIEWS = ['frame', 'sheet', 'waveform', 'spectrogram'] as const;
export type PreviewView = (typeof PREVIEW_VIEWS)[number];

export const PREVIEW_FORMATS = ['jpeg', 'png', 'webp'] as const;
export type PreviewFormat = (typeof PREVIEW_FORMATS)[number];

export const PREVIEW_BOUNDS = {
  /** The maximum time of a frame, in seconds. */
  seconds: 1_000_000,
  columns: 8,
  rows: 8,
  minWidth: 16,
  maxWidth: 1920,
} as const;

/** The columns and rows of a sheet, unless the client chooses others. */
export const SHEET_GRID = { columns: 4, rows: 4 } as const;

/** An image that a client requests from a file. Default of `at`: the middle of the file, or another time if the frame there is black. */
export interface PreviewSpec extends Shape<typeof linkedPreviewQuery> {
  readonly view: PreviewView;
}

/** An image, with a description for readers that cannot see it. */
export interface PreviewImage extends PreviewFacts {
  readonly bytes: Uint8Array;
}

export interface PreviewFacts {
  readonly format: PreviewFormat;
  readonly width: number;
  readonly height: number;
  /**
   * The times of the frames in reading order, in seconds from the start of the file. Frames that cannot be decoded are missing. In a
   * comparison of two files, the frames of each time are side by side, the original first. Empty for audio.
   */
  readonly times: readonly number[];
  /** The duration of the file in seconds. In a comparison, the duration of the second file. Absent for a still image. */
  readonly durationSeconds?: number;
  /** The highest frequency of a spectrogram, in Hz. */
  readonly maxHz?: number;
  /** What the probe of the preview has found of the file. In a comparison, of the second file. */
  readonly file?: PreviewedFileFacts;
}

export interface PreviewedFileFacts {
  /** The duration in seconds, also of an audio file with a cover. Absent for a still image. */
  readonly durationSeconds?: number;
  /** The frame size of the video or image as it is stored, after rotation. Absent for audio, also with a cover. */
  readonly width?: number;
  readonly height?: number;
}

export const PREVIEW_TYPES: Readonly<Record<PreviewFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** The limit `BASE_BYTES` applies to an image with this many pixels. It grows in proportion for larger images. */
const BASE_PIXELS = 2 ** 20;
const BASE_BYTES = 120_000;

/** The maximum number of pixels of an image. An image may have twice as many pixels if the client chose its width. */
export const maxPixels = ({ width }: Pick<PreviewSpec, 'width'>): number => (width === undefined ? 1 : 2) * BASE_PIXELS;

/** The maximum number of bytes of an image with this many pixels: 120,000 for a usual image. */
export const maxPreviewBytes = (pixels: number): number => Math.floor(BASE_BYTES * Math.max(1, pixels / BASE_PIXELS));
