import type { z } from 'zod';

/** A type whose members cannot be changed, at any depth. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What a schema accepts, as the rest of the service reads it. */
export type Shape<S extends z.ZodType> = DeepReadonly<z.output<S>>;
