import type { Mount } from '../../../domain/plan.ts';

/** A staged input of the local engine. */
export interface LocalInput extends Required<Mount> {
  readonly sizeBytes: number;
}
