import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';

/** A request whose run has a warning. */
export interface RunWarningCase {
  readonly title: string;
  readonly request: ConversionRequest;
  /** The first release of ffmpeg that does right what the warning is about. Its runs have no warning. */
  readonly quietFrom?: number;
  /**
   * Members of the request that follow the fix, or that ask for what the warning is about. With them, there is no
   * warning.
   */
  readonly meant: Partial<Omit<ConversionRequest, 'input'>> & { readonly input?: string | undefined };
}

/** Rows of one subject, by the code of their warning. */
export type RunWarningRows = Readonly<Record<string, readonly RunWarningCase[]>>;

/** An encoder that is fast, with a pixel format that players show. */
export const H264 = { 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' } as const;
