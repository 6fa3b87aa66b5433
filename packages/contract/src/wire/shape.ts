import type { z } from 'zod';

/** A type whose members cannot be changed, at any depth. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** The output type of a schema, read-only at any depth. */
export type Shape<S extends z.ZodType> = DeepReadonly<z.output<S>>;
