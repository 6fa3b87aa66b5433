import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';

/** A request that goes wrong because of what its inputs contain. */
export interface MediaCause {
  readonly title: string;
  readonly request: ConversionRequest;
  /** The message of the failure, or of the warning with this code. */
  readonly message: RegExp | string;
  readonly warning?: string;
  readonly fix: RegExp | string;
  /** The members of the request that follow the fix. */
  readonly followed: Partial<Omit<ConversionRequest, 'input'>> & { readonly input?: string | undefined };
  /** What the fixed output must have. */
  readonly seconds?: number;
  readonly size?: string;
  readonly pixelFormat?: string;
}

export const H264 = { 'c:v': 'libx264', preset: 'ultrafast' } as const;

export const graph = (filter_complex: string, map: string | string[]) => ({ ...H264, filter_complex, map });

/** Without it, a transition has a pixel format that few players show. */
export const PLAYABLE = { pix_fmt: 'yuv420p' } as const;
