/** The part of a pino logger that is used here. */
export interface MediaLog {
  warn(details: object, message: string): void;
}
