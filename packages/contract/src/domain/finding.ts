import type { findingSchema } from '../wire/clients.ts';
import type { Shape } from '../wire/shape.ts';

/** The result of one check. `warn`: the service runs, but with restrictions. */
export type Finding = Shape<typeof findingSchema>;
