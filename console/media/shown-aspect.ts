interface Stream {
  readonly type: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly sampleAspectRatio?: string | undefined;
  readonly rotationDegrees?: number | undefined;
}

/** The aspect ratio of most videos, for a file that is not read yet. */
export const USUAL_ASPECT = 16 / 9;

/** The aspect ratio at which players show the first video of a file: after rotation, with square pixels. */
export function shownAspect(streams: readonly Stream[]): number {
  const { width, height, sampleAspectRatio, rotationDegrees = 0 } = streams.find(({ type }) => type === 'video') ?? {};
  if (!width || !height) return USUAL_ASPECT;
  const [x = 1, y = 1] = (sampleAspectRatio ?? '1:1').split(':').map(Number);
  const aspect = (width / height) * (x > 0 && y > 0 ? x / y : 1);
  return Math.round(Math.abs(rotationDegrees) / 90) % 2 === 1 ? 1 / aspect : aspect;
}
