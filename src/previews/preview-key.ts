import { createHash } from 'node:crypto';
import type { PreviewSpec } from '../domain/preview.ts';
import type { PreviewSource } from './ports.ts';

/** Increase it when the same request makes another picture. */
const VERSION = 1;

/** What a preview depends on. */
export interface PreviewKeyParts {
  /** Two clients never share an entry, even if they name the same file. */
  readonly clientId: string;
  readonly sources: readonly (PreviewSource & { readonly fingerprint: string })[];
  readonly spec: PreviewSpec;
}

/** Returns the name of a preview in the cache: 64 hexadecimal digits. */
export function previewKey({ clientId, sources, spec }: PreviewKeyParts): string {
  const { view, at, columns, rows, width, format } = spec;
  const parts = [
    VERSION,
    clientId,
    sources.map(({ path, offset, fingerprint }) => [path, fingerprint, offset ?? 0]),
    [view, at ?? null, columns ?? null, rows ?? null, width ?? null, format ?? null],
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
