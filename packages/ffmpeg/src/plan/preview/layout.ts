import { maxPixels, type PreviewSpec, SHEET_GRID } from '@telecine/contract/domain/preview.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where the frames are in a preview. All tiles have the same size, and are in reading order. */
export interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly tile: Size;
  /** For each file, the size of its frames within a tile. */
  readonly frames: readonly Size[];
  readonly size: Size;
}

/** In pixels, between tiles. */
export const GAP = 4;

const DEFAULT_WIDTH = { frame: 1024, sheet: 1280, waveform: 1024, spectrogram: 1024 } as const;

/** With two files, each time has two tiles side by side. */
function gridOf({ view, columns, rows }: PreviewSpec, files: number): { columns: number; rows: number } {
  if (view !== 'sheet') return { columns: 1, rows: 1 };
  const usual = files === 1 ? SHEET_GRID : { columns: 1, rows: 3 };
  return { columns: columns ?? usual.columns, rows: rows ?? usual.rows };
}

/** The layout for the frames of one file, or of two files side by side. `sizes`: the frame sizes of the files, as players show them. */
export function layoutOf(spec: PreviewSpec, sizes: readonly Size[]): Layout {
  const grid = gridOf(spec, sizes.length);
  const columns = grid.columns * sizes.length;
  const { rows } = grid;
  const gaps = { x: (columns - 1) * GAP, y: (rows - 1) * GAP };
  // The tile has the aspect ratio of the largest frame, and other frames are scaled to fit into it. So viewers compare details at the same
  // size, and no grey border looks like a part of a small frame.
  const [largest = { width: 1, height: 1 }] = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const widest = Math.max(1, ((spec.width ?? DEFAULT_WIDTH[spec.view]) - gaps.x) / columns);
  const ratio = largest.height / largest.width;
  const byPixels = Math.sqrt(maxPixels(spec) / (columns * rows) / ratio);
  const width = Math.min(widest, byPixels, largest.width);
  // Very tall frames are limited by their height.
  const scale = Math.min(1, Math.max(2, (MAX_HEIGHT - gaps.y) / rows) / (width * ratio));
  const tile = whole({ width: width * scale, height: width * scale * ratio });
  return {
    columns,
    rows,
    tile,
    frames: sizes.map((shown) => fitInto(shown, tile)),
    size: { width: columns * tile.width + gaps.x, height: rows * tile.height + gaps.y },
  };
}

/** In pixels. */
const MAX_HEIGHT = 4096;

const whole = ({ width, height }: Size): Size => ({
  width: Math.max(2, Math.floor(width)),
  height: Math.max(2, Math.round(height)),
});

function fitInto(shown: Size, tile: Size): Size {
  const scale = Math.min(tile.width / shown.width, tile.height / shown.height);
  return {
    width: Math.min(tile.width, Math.max(2, Math.round(shown.width * scale))),
    height: Math.min(tile.height, Math.max(2, Math.round(shown.height * scale))),
  };
}

export function audioImageSize({ view, width = DEFAULT_WIDTH[view] }: PreviewSpec): Size {
  return { width, height: Math.max(16, Math.round(view === 'waveform' ? width / 4 : width / 2)) };
}

/** If the frames of a sheet are at least so many seconds apart, key frames are precise enough. */
const KEY_FRAME_SPACING = 12;

/** Where a frame without a requested time is searched for if that of the middle is dark, as shares of the duration. The first comes first. */
const ALTERNATIVES_TO_MIDDLE = [0.35, 0.65, 0.2, 0.8];
/** The smallest difference between these shares. */
const ALTERNATIVE_SPACING = 0.15;

interface FrameTimes {
  readonly times: readonly number[];
  /** Whether the key frames before these times are near enough. */
  readonly nearKeyFrames: boolean;
}

/**
 * The times of the frames in a preview. `alternatives`: those of other frames, one of which is shown if the frame is dark. `duration`: the duration of
 * the shorter file; undefined for an image. `files`: the number of files.
 */
export function timesOf(
  spec: PreviewSpec,
  duration: number | undefined,
  files: number,
): FrameTimes & { readonly alternatives?: FrameTimes } {
  // Frames of two files can only be compared at exactly the same times.
  const nearKeyFrames = (spacing: number): boolean => files === 1 && spacing >= KEY_FRAME_SPACING;
  if (duration === undefined) return { times: [0], nearKeyFrames: false };
  if (spec.view !== 'sheet' && (spec.at !== undefined || duration === 0))
    return { times: [spec.at ?? 0], nearKeyFrames: false };
  if (spec.view !== 'sheet') {
    const times = ALTERNATIVES_TO_MIDDLE.map((share) => rounded(share * duration));
    const alternatives = { times, nearKeyFrames: nearKeyFrames(ALTERNATIVE_SPACING * duration) };
    return { times: [duration / 2], nearKeyFrames: false, alternatives };
  }
  const { columns, rows } = gridOf(spec, files);
  const count = columns * rows;
  const spacing = duration / count;
  const times = Array.from({ length: count }, (_, i) => rounded((i + 0.5) * spacing));
  return { times, nearKeyFrames: nearKeyFrames(spacing) };
}
