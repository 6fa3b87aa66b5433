import { PIECE_BYTES } from './pieces.ts';

/** A text that is written in parts and ends as buffers. */
export interface TextBuffers {
  add(text: string): void;
  end(): readonly Buffer[];
}

/**
 * Collects a long text as buffers of some 64 KiB. As one string, it would stay in memory until the next full garbage collection, and
 * so would what it was made of.
 */
export function textBuffers(): TextBuffers {
  const buffers: Buffer[] = [];
  let parts: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (length > 0) buffers.push(Buffer.from(parts.join('')));
    parts = [];
    length = 0;
  };
  return {
    add: (text) => {
      parts.push(text);
      length += text.length;
      if (length >= PIECE_BYTES) flush();
    },
    end: () => {
      flush();
      return buffers;
    },
  };
}
