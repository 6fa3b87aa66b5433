import type { PreviewImage } from '@telecine/contract/domain/preview.ts';

/** Caches previews. Never throws. */
export interface PreviewCache {
  /** `key`: 64 hexadecimal digits. */
  get(key: string): Promise<PreviewImage | undefined>;
  put(key: string, image: PreviewImage): Promise<void>;
}
