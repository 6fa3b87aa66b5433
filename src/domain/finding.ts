/** The result of one check. `warn` means that the service runs, but with restrictions. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'bad';
  readonly says: string;
  readonly fix?: string;
}
